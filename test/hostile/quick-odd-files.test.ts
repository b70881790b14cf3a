/** Pipes that nobody writes to, and devices without an end, wherever a file may be: one clear line, and nothing waits for ever. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startOf } from '../../src/machine/given-file.ts';
import type { ErrorCode } from '../../src/model/errors.ts';
import { readResult } from '../../src/services/stored-reports.ts';
import { bundleModule } from '../../src/sources/bundle.ts';
import { filesOf } from '../../src/sources/find.ts';
import { loadSources } from '../../src/sources/load.ts';
import { loadTries } from '../../src/sources/tries.ts';
import { readBaseline } from '../../src/store/baseline-file.ts';
import { readConfig } from '../../src/store/config.ts';
import { readRecording } from '../../src/store/recording-file.ts';
import { isToolError } from '../support/tool-errors.ts';

const skip = process.platform === 'win32' && 'no pipes and devices in folders';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-odd-')));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Short: how long is waited is the user's choice. */
const TIMEOUT_MS = 50;
/** For what ends before. */
const LONG_MS = 60_000;
const SILENT = /nothing came through this pipe for 0\.05 s/;
const ODD = /not a regular file/;

const at = (name: string) => join(folder, name);
const pipe = (name: string) => {
  mkdirSync(dirname(at(name)), { recursive: true });
  execFileSync('mkfifo', [at(name)]);
};
const device = (name: string) => symlinkSync('/dev/zero', at(name));
const put = (name: string, text: string) => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
};

if (!skip) {
  for (const name of ['json', 'ndjson', 'mjs', 'ts', 'cprof']) pipe(`pipe.${name}`);
  for (const name of ['json', 'ts', 'cprof', 'txt']) device(`device.${name}`);
  for (const name of ['found/clone-prof.config.json', 'package/package.json', 'set/tsconfig.json'])
    pipe(name);
  pipe('extended/base.json');
  put('extended/tsconfig.json', '{"extends":"./base.json"}');
  for (const name of ['set', 'extended']) put(`${name}/m.ts`, 'export const rows = [1];');
  put('imports.ts', "import './pipe.ts'; export const rows = [1];");
  put('imports-device.ts', "import './device.txt'; export const rows = [1];");
}

async function load(input: string, timeoutMs = TIMEOUT_MS): Promise<void> {
  const workdir = mkdtempSync(at('work-'));
  const options = {
    cwd: folder,
    as: null,
    stdin: () => assert.fail('not asked for'),
    workdir,
    timeoutMs,
  };
  for (const source of await loadSources([input], options)) if (source.kind === 'failed') throw source.error;
}

const config = (cwd: string, file: string | null) =>
  readConfig(at(cwd), {
    file: file === null ? null : at(file),
    root: at(cwd),
    compile: async (path) => assert.fail(`${path} is compiled`),
    onRun: () => {},
    timeoutMs: TIMEOUT_MS,
  });

const tried = (word: string) =>
  loadTries([word], { cwd: folder, workdir: folder, folders: [], timeoutMs: TIMEOUT_MS });

const ROWS: [what: string, read: () => Promise<unknown>, code: ErrorCode, reason: RegExp][] = [
  ...['json', 'ndjson', 'mjs', 'ts', 'cprof'].map(
    (ending) => [`payload: pipe.${ending}`, () => load(`pipe.${ending}`), 'file-unreadable', SILENT] as ROW,
  ),
  ...['json', 'ts', 'cprof', 'txt'].map(
    (ending) => [`payload: device.${ending}`, () => load(`device.${ending}`), 'file-unreadable', ODD] as ROW,
  ),
  ['module that imports a pipe', () => load('imports.ts', LONG_MS), 'module-build-failed', ODD],
  ['module that imports a device', () => load('imports-device.ts', LONG_MS), 'module-build-failed', ODD],
  ['module beside a tsconfig.json that is a pipe', () => load('set/m.ts', LONG_MS), 'file-unreadable', ODD],
  [
    'module whose tsconfig.json extends a pipe',
    () => load('extended/m.ts'),
    'module-build-failed',
    /took more than 0\.05 s\. Raise --timeout/,
  ],
  ['--try: a pipe', () => tried('pipe.mjs'), 'file-unreadable', ODD],
  ['--try: a device', () => tried('device.ts'), 'file-unreadable', ODD],
  ['config: a pipe that was found', () => config('found', null), 'config-bad', ODD],
  ['package.json: a pipe that was found', () => config('package', null), 'config-bad', ODD],
  ['config: a pipe that was named', () => config('.', 'pipe.json'), 'config-bad', SILENT],
  ['config: code in a pipe', () => config('.', 'pipe.mjs'), 'config-bad', ODD],
  ['config: a device', () => config('.', 'device.json'), 'config-bad', ODD],
  [
    'baseline',
    () => readBaseline(at('pipe.json'), 'b', { timeoutMs: TIMEOUT_MS }),
    'file-unreadable',
    SILENT,
  ],
  ['baseline: a device', () => readBaseline(at('device.json'), 'b', {}), 'file-unreadable', ODD],
  ['recording: a device', () => readRecording(at('device.cprof'), 'r', {}), 'file-unreadable', ODD],
  ['report: a device', () => readResult(at('device.json'), 'r'), 'file-unreadable', ODD],
];
type ROW = (typeof ROWS)[number];

describe('odd files', { skip }, () => {
  for (const [what, read, code, reason] of ROWS)
    test(what, () => assert.rejects(read(), isToolError(code, reason)));

  test('the start of a file that will be overwritten is read only if it is a regular file', () => {
    assert.equal(startOf(at('pipe.json')), null);
    assert.equal(startOf(at('device.json')), null);
    assert.equal(startOf(at('imports.ts'), 6), 'import');
  });

  test('Ctrl-C ends the wait for a pipe, and the walk of a glob over the disk', async () => {
    const controller = new AbortController();
    const ended = [
      readBaseline(at('pipe.json'), 'b', { signal: controller.signal }),
      bundleModule(at('extended/m.ts'), at('bundle'), folder, { signal: controller.signal }),
      filesOf('/**/no-such-name-*.json', folder, controller.signal),
    ].map((one) => assert.rejects(one, isToolError('interrupted')));
    setImmediate(() => controller.abort());
    await Promise.all(ended);
  });
});
