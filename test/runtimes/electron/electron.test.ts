/** Electron itself: messages between its main process and a renderer, against what is told. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { verify } from '../../../src/app/verify.ts';
import { loadSpecimens } from '../../../src/cli/actions/rules.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import { ELECTRON_CHANNELS } from '../../../src/model/names.ts';
import { trackChildProcesses } from '../../support/child-processes.ts';
import { realCli } from '../../support/real-cli.ts';
import { missing, processDriver, runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { assertTimed } from '../../support/timed.ts';
import { onlyInWhole, usually } from '../../support/whole.ts';

const skip = missing('electron');
const noneRunning = trackChildProcesses();
const folder = tempFolder('electron');
const fixture = (name: string) => fileURLToPath(new URL(`../../../fixtures/${name}`, import.meta.url));

/** `analyze` in Electron, of a module with this code. */
async function analyzed(name: string, code: string, ...options: string[]) {
  const module = join(folder, name);
  writeFileSync(module, code);
  const args = ['analyze', module, '-r', runtime('electron').binary, ...options, '-f', 'json'];
  const { code: exit, stdout, stderr } = await realCli(args);
  const { payloads } = JSON.parse(stdout) as Report;
  const runOf = (id: string) => payloads.find((one) => one.id === id)!.runs[0]!;
  return { exit, stderr, payloads, runOf };
}

test('values arrive in a renderer as the rules and the table of objects say', { skip }, async () => {
  const all = await loadSpecimens(fixture('payloads'));
  const own = all.filter(({ channel }) => ELECTRON_CHANNELS.includes(channel));
  const specimens = usually(
    own,
    all.filter((pair) => !own.includes(pair)),
  );
  const { results, objects } = await verify(
    {
      ...{ specimens: [...specimens], objects: fixture('payloads/platform-objects.js') },
      ...{ runtimes: [runtime('electron')], timeoutMs: 120_000, cwd: folder },
    },
    { driver: processDriver, emit: () => {} },
  );
  for (const { rule, holds, why } of results) assert.notEqual(holds, false, `${rule}: ${why}`);
  for (const own of ['spec/message-lost over electron-port', 'spec/shared-refused over electron-ipc'])
    assert.equal(results.find(({ rule }) => rule === own)?.holds, true, own);
  const seen = objects.filter(({ told }) => told !== null);
  assert.deepEqual(
    [...new Set(seen.map(({ channel }) => channel))],
    [...ELECTRON_CHANNELS, 'electron-bridge'],
  );
  assert.equal(seen.filter(({ channel }) => ELECTRON_CHANNELS.includes(channel)).length, 20);
  // One of them, a module of WebAssembly, becomes null inside an object alone.
  for (const { class: name, holds, why } of seen) assert.equal(holds, true, `${name}: ${why}`);
});

test('a payload is measured to a renderer and back; an uncloneable payload is refused', {
  skip: skip || onlyInWhole,
}, async () => {
  const code = `export const state = { at: new Date(0), bytes: Buffer.alloc(3), names: ["a", "b"] };
    export const bad = { picture: new Blob(["a"]) };`;
  const before = existsSync(join(homedir(), '.config', 'Electron'));
  const options = ['-b', '200ms', '-c', 'electron-port'];
  const { exit, stderr, runOf } = await analyzed('state.mjs', code, ...options);
  assert.deepEqual([exit, stderr], [0, '']);
  const { runtime: here, status, verdict, findings, measurement } = runOf('state#state');
  assert.deepEqual(
    [`${here.name}@${here.version}`, status, verdict?.path, verdict?.confirmed],
    [runtime('electron').spec, 'measured', 'fast-object', true],
  );
  assert.ok(findings.some(({ rule }) => rule === 'spec/node-buffer'));
  assertTimed({ roundTrip: measurement!.roundTrip.median });
  const bad = runOf('state#bad');
  assert.equal(bad.verdict?.class, 'rejected');
  assert.match(bad.verdict?.refusal ?? '', /could not be cloned/);
  // Its own files go into a folder of the run.
  assert.equal(existsSync(join(homedir(), '.config', 'Electron')), before);
  await noneRunning();
});

test('over a contextBridge: both directions are timed, a refusal has its path, text is a proven rewrite', {
  skip: skip || onlyInWhole,
}, async () => {
  const code = `export const rows = Array.from({ length: 50 }, (_, id) => ({ id, name: 'n' + id, tags: ['a', 'b'] }));
    export const bad = { byName: new Map([['f', () => 1]]) };`;
  const { runOf } = await analyzed('bridged.mjs', code, '-b', '500ms', '-c', 'electron-bridge');
  const rows = runOf('bridged#rows');
  assert.deepEqual([rows.status, rows.verdict?.path], ['measured', 'bridge']);
  const { roundTrip, send, receive, page } = rows.measurement!;
  assertTimed({ roundTrip: roundTrip.median, send: send!.median, receive: receive!.median });
  assert.equal(page, undefined);
  const text = rows.trials.find(({ remedy }) => remedy === 'json-text');
  assert.equal(text?.equality, 'equal');
  const { verdict } = runOf('bridged#bad');
  assert.match(verdict!.refusal!, /An object could not be cloned/);
  assert.deepEqual(
    verdict!.blockers.map(({ rule, path }) => [rule, path]),
    [['v8/bridge-refused', '$.byName{value:0}']],
  );
  await noneRunning();
});

test('the default channel is electron-ipc; the worker channel is refused', {
  skip: skip || onlyInWhole,
}, async () => {
  const electron = ['-r', runtime('electron').binary];
  const args = ['analyze', fixture('cliff.mjs'), ...electron, '--no-measure', '-f', 'json'];
  const { stdout } = await realCli(args);
  const [run] = (JSON.parse(stdout) as Report).payloads[0]!.runs;
  assert.deepEqual([run?.channel, run?.verdict?.confirmed], ['electron-ipc', true]);
  const { stderr } = await realCli([...args, '-c', 'worker']);
  assert.match(stderr, /its channels are -c electron-ipc electron-port electron-bridge/);
});
