/** From nothing to a working gate, with the packaged program on the runtime that runs the tests. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/clone-prof.js', import.meta.url));

function inProject(
  work: (folder: string, run: (...args: string[]) => { code: number | null; text: string }) => void,
): void {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-init-'));
  try {
    work(folder, (...args) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
      });
      return { code: status, text: stdout + stderr };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('check --init && check, in an empty project with one payload file', () => {
  inProject((folder, run) => {
    writeFileSync(join(folder, 'job.json'), '[{"id":1,"text":"hello"}]');
    assert.equal(run('check', '--init').code, 0);
    const first = run('check');
    assert.equal(first.code, 0, first.text);
    assert.match(first.text, /job on node@/);
    assert.match(first.text, /not in the baseline/);
    assert.equal(run('baseline').code, 0);
    const second = run('check');
    assert.equal(second.code, 0, second.text);
    assert.doesNotMatch(second.text, /baseline/);
  });
});

test('--init overwrites nothing, and without payloads check says what to do', () => {
  inProject((folder, run) => {
    assert.equal(run('check', '--init').code, 0);
    const config = readFileSync(join(folder, 'clone-prof.config.mjs'), 'utf8');
    writeFileSync(join(folder, 'clone-prof.config.mjs'), `${config}// mine\n`);
    assert.match(run('check', '--init').text, /kept {2}clone-prof\.config\.mjs\nkept {2}\.github/);
    assert.match(readFileSync(join(folder, 'clone-prof.config.mjs'), 'utf8'), /\/\/ mine\n$/);
    const { code, text } = run('check');
    assert.equal(code, 2);
    assert.match(text, /names no payloads/);
  });
});

test('a config in TypeScript, a payload module in TypeScript, and a folder below the config', () => {
  inProject((folder, run) => {
    writeFileSync(
      join(folder, 'clone-prof.config.ts'),
      'export default { payloads: [{ id: "p", input: "p.ts" }] } satisfies object;',
    );
    writeFileSync(join(folder, 'p.ts'), 'export const p: number[] = [1, 2];');
    const { code, text } = run('check', '-f', 'json');
    assert.equal(code, 0, text);
    assert.match(text, /"payload": "p"/);
  });
});
