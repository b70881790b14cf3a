/** From nothing to a working gate, with the packaged program on the runtime that runs the tests. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { realCli } from '../support/real-cli.ts';

/** Runs the program in an empty folder. */
async function inProject(
  body: (
    folder: string,
    run: (...args: string[]) => Promise<{ code: number | null; text: string }>,
  ) => unknown,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-init-'));
  try {
    await body(folder, async (...args) => {
      const { code, stdout, stderr } = await realCli(args, { cwd: folder });
      return { code, text: stdout + stderr };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('check --init && check, in an empty project with one payload file', async () => {
  await inProject(async (folder, run) => {
    writeFileSync(join(folder, 'job.json'), '[{"id":1,"text":"hello"}]');
    assert.equal((await run('check', '--init')).code, 0);
    const first = await run('check');
    assert.equal(first.code, 0, first.text);
    assert.match(first.text, /job on node@/);
    assert.match(first.text, /4 limits kept\.\n/);
    assert.match(first.text, /note: not checked, as there is nothing to compare with: class, maxBytes/);
    assert.equal((await run('baseline')).code, 0);
    const second = await run('check');
    assert.equal(second.code, 0, second.text);
    assert.doesNotMatch(second.text, /baseline/);
  });
});

test('the typed config, and a typed payload, work where clone-prof is not installed, as with npx', async () => {
  await inProject(async (folder, run) => {
    writeFileSync(join(folder, 'tsconfig.json'), '{}');
    writeFileSync(join(folder, 'job.payload.ts'), 'export const job: number[] = [1, 2];');
    assert.equal((await run('check', '--init')).code, 0);
    assert.match(readFileSync(join(folder, 'clone-prof.config.ts'), 'utf8'), /defineConfig/);
    const { code, text } = await run('check');
    assert.equal(code, 0, text);
    assert.match(text, /job\.payload#job on node@/);
  });
});

test('--init overwrites nothing, and without payloads check says what to do', async () => {
  await inProject(async (folder, run) => {
    assert.match((await run('check', '--init')).text, /No payloads found: name yours/);
    const file = join(folder, 'clone-prof.config.json');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n\n`);
    assert.match((await run('check', '--init')).text, /kept {2}clone-prof\.config\.json\nkept {2}\.github/);
    assert.match(readFileSync(file, 'utf8'), /\n\n\n$/);
    const { code, text } = await run('check');
    assert.equal(code, 2);
    assert.match(text, /names no payloads/);
  });
});
