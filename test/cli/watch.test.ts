/** `--watch`: one process, while its files change, break, go and come back. */
import assert from 'node:assert/strict';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startCli } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('watch');

/** At once: on a busy machine the command would see the file while it is empty. */
function write(name: string, text: string): void {
  const written = join(folder, `${name}.new`);
  writeFileSync(written, text);
  renameSync(written, join(folder, name));
}

/** A command that watches, and what each of its runs prints. */
function watched(...args: string[]) {
  const child = startCli(args, { cwd: folder });
  // Of a test that failed.
  after(() => child.kill('SIGKILL'));
  let [told, waiting] = ['', () => {}];
  const listen = (piece: Buffer) => {
    told += piece.toString();
    waiting();
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  /** Until it waits for the next change. */
  const run = async (change: () => void = () => {}) => {
    change();
    while (!/^watching \d+ files? .*$/m.test(told)) {
      const more = new Promise<void>((resolve) => (waiting = resolve));
      await Promise.race([more, ended.then((code) => assert.fail(`it ended with ${code}: ${told}`))]);
    }
    // What came by the other stream before that line may be read after it: in this turn of the event loop, or the next.
    await turn();
    await turn();
    const all = told;
    told = '';
    return all;
  };
  const end = () => {
    child.kill('SIGINT');
    return ended;
  };
  return { run, end };
}

test('analyze: again when a payload, or what it imports, has changed; Ctrl-C ends it', async () => {
  write('rows.ts', "import { row } from './row.ts';\nexport const rows = [row];\n");
  write('row.ts', 'export const row: object = { id: 1 };\n');
  const { run, end } = watched('analyze', 'rows.ts', '--no-measure', '-r', 'node', '--watch');
  const first = await run();
  assert.match(first, /^watching 2 files \(Ctrl-C ends\)$/m);
  assert.match(first, /rows#rows · .*to a worker/);
  // Nothing is cleared.
  assert.ok(!first.includes('\u001b'));
  assert.match(await run(() => write('row.ts', 'export const row = () => 1;\n')), /cannot be posted/);
  const broken = await run(() => write('row.ts', 'export const row = {{;\n'));
  assert.match(broken, /row\.ts:1:21: cannot be compiled/);
  const gone = await run(() => rmSync(join(folder, 'rows.ts')));
  assert.match(gone, /^clone-prof: rows\.ts: no such file/m);
  await run(() => write('row.ts', 'export const row = { id: 2 };\n'));
  const back = await run(() => write('rows.ts', "export { row } from './row.ts';\n"));
  assert.match(back, /rows#row/);
  assert.equal(await end(), 130);
});

const ALL_KEPT = /^ {2}● \d+ limits kept\.$/m;

test('check: runs again when the config changes, even if the config was broken', async () => {
  write('clone-prof.config.json', '{ "payloads": ["data.json"], "limits": { "maxNodes": 1 } }');
  write('data.json', '[1, 2, 3]');
  const { run, end } = watched('check', '--watch');
  const broken = await run();
  assert.match(broken, /maxNodes/);
  assert.doesNotMatch(broken, ALL_KEPT);
  assert.match(
    await run(() => write('clone-prof.config.json', '{ "payloads": ')),
    /clone-prof\.config\.json/,
  );
  const kept = await run(() => write('clone-prof.config.json', '{ "payloads": ["data.json"] }'));
  assert.match(kept, ALL_KEPT);
  assert.equal(await end(), 130);
});
