/** The program around real ones: their streams, signals and exit codes. */

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { transformSync } from 'esbuild';
import type { Recording } from '../../src/model/documents/recorded/recording.ts';
import { parseRecording } from '../../src/record/files/recording-files.ts';
import { runProgram } from '../../src/runtimes/process/recorded-program.ts';
import { endWithVariable } from '../../src/runtimes/process/supervisor.ts';
import { trackChildProcesses, until } from '../support/child-processes.ts';
import { realCli } from '../support/real-cli.ts';
import { type Ended, endOf, ROOT, startCli } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { usually } from '../support/whole.ts';

const folder = tempFolder('record');
const temp = join(folder, 'temp');
mkdirSync(temp);
const POSIX = { skip: process.platform === 'win32' };
const LINUX = { skip: process.platform !== 'linux' };
const POST =
  "import { MessageChannel } from 'node:worker_threads';\nconst { port1 } = new MessageChannel();\nport1.postMessage({ a: 1 });\n";
const SOURCE = `type A = { a: number };\n\n\n${POST}const a: A = { a: 1 };\nport1.postMessage([a]);\nport1.close();`;
const BUILT = transformSync(SOURCE, { loader: 'ts', sourcemap: 'inline', sourcefile: 'src/app.ts' }).code;
after(trackChildProcesses());

const env = {
  ...process.env,
  ...{ TMPDIR: temp, COLUMNS: '80', NO_COLOR: '1' },
  // Set by the runner of the tests.
  ...{ FORCE_COLOR: undefined, NODE_TEST_CONTEXT: undefined },
};

const put = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return name;
};
/** Without the terminal that these tests may run in: it decides which signals are passed on. */
const start = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
  startCli(['record', ...args], { cwd: folder, env: { ...env, ...more }, detached: true });
const run = (...args: string[]): Promise<Ended> => endOf(start(args));
// The recorder makes its folders where this process has its own.
process.env.TMPDIR = temp;
/** In this process, around programs that print nothing: their streams would be its own. */
const record = (...args: string[]): Promise<Ended> => realCli(['record', ...args], { cwd: folder, env });

/** Programs may have folders of their own there. */
const ownFolders = () => readdirSync(temp).filter((name) => name.startsWith('clone-prof'));

function recordingOf(name: string): Recording {
  assert.deepEqual(ownFolders(), [], 'the folders of the recorder are removed');
  return parseRecording(readFileSync(join(folder, name), 'utf8'), name);
}
const countOf = ({ messages }: Recording) => messages.reduce((sum, one) => sum + one.count, 0);

test('stdin, stdout and stderr belong to the program; the recorder prints after the program has ended', async () => {
  put(
    'echo.mjs',
    `${POST}process.stdin.pipe(process.stdout);\nprocess.stdin.on('end', () => console.error('own \\u001b[31m', Error.stackTraceLimit, process.execArgv));\nport1.close();\n`,
  );
  // Options of the user are kept.
  const child = start(['node', 'echo.mjs'], { NODE_OPTIONS: '--stack-trace-limit=3' });
  const text = 'Zeile é\n\u0000\u001b[0m'.repeat(20_000);
  child.stdin!.write(text);
  const { code, stdout, stderr } = await endOf(child);
  assert.equal(code, 0, stderr);
  assert.ok(stdout === text);
  assert.ok(stderr.startsWith('own \u001b[31m 3 []\nwrote echo.cprof: 1 message, '), stderr);
  const { header, messages } = recordingOf('echo.cprof');
  assert.deepEqual(header.command, ['node', 'echo.mjs']);
  assert.deepEqual(header.exit, { code: 0, signal: null });
  assert.equal(header.runtime?.version, process.versions.node);
  assert.deepEqual([messages[0]?.site.user?.file, messages[0]?.site.user?.line], ['echo.mjs', 3]);
});

const LISTENER = `${POST}let seen = 0;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {
  seen++;
  setTimeout(() => { console.log(name, seen); process.exit(5); }, 300);
});
setInterval(() => {}, 1000);
console.log('ready');`;

describe('signals', POSIX, () => {
  for (const signal of usually(['SIGINT'], ['SIGTERM', 'SIGHUP'])) {
    test(`${signal} is passed on once, and the recording is written`, async () => {
      put('listener.mjs', LISTENER);
      const child = start(['node', 'listener.mjs']);
      const ended = endOf(child);
      child.stdout!.on('data', (piece) => void (String(piece).includes('ready') && child.kill(signal)));
      const { code, stdout, stderr } = await ended;
      assert.equal(code, 5, stderr);
      assert.equal(stdout, `ready\n${signal} 1\n`);
      assert.equal(countOf(recordingOf('listener.cprof')), 1);
    });
  }

  const isHere = process.platform === 'linux' && spawnSync('script', ['--version']).error === undefined;
  const skip = !isHere && 'no program "script"';
  test('Ctrl-C in a terminal reaches the program once', { skip }, async () => {
    put('listener.mjs', LISTENER);
    const cli = `exec '${process.execPath}' '${join(ROOT, 'bin/clone-prof.js')}' record node listener.mjs`;
    const child = spawn('script', ['-qec', cli, '/dev/null'], {
      cwd: folder,
      env: { ...env, SHELL: '/bin/sh' },
    });
    const out: string[] = [];
    child.stdout.on('data', (piece) => {
      out.push(String(piece));
      if (String(piece).includes('ready')) child.stdin.write('\u0003');
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.match(out.join(''), /ready[\s\S]*SIGINT 1\r\n[\s\S]*wrote listener\.cprof/);
    assert.equal(code, 5);
    recordingOf('listener.cprof');
  });
});

test('--for: SIGKILL follows, for what the program has started too', LINUX, async () => {
  const mark = join(folder, 'mark of this test');
  put(
    'deaf.sh',
    `trap '' TERM; '${process.execPath}' -e "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)" & wait; sleep 1000`,
  );
  let ended = 0;
  const exit = await runProgram(['sh', 'deaf.sh'], {
    ...{ cwd: folder, env: { ...env, MARK: mark }, forMs: 300, graceMs: 300 },
    signals: process,
    endRest: () => {
      endWithVariable(mark);
      ended++;
    },
  });
  assert.deepEqual([exit.signal, exit.stoppedBy, ended], ['SIGKILL', 'SIGKILL', 1]);
});

test('a process that the program leaves can start workers after the recording', LINUX, async () => {
  put(
    'left.mjs',
    `import { existsSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
writeFileSync('left.ready', '');
const waiting = setInterval(() => {
  if (!existsSync('go')) return;
  clearInterval(waiting);
  new Worker('1', { eval: true }).on('error', String).on('exit', (code) => writeFileSync('left.code', String(code)));
}, 20);`,
  );
  const leave = 'node left.mjs >/dev/null 2>&1 </dev/null & while [ ! -e left.ready ]; do sleep 0.1; done';
  const { code, stderr } = await run('-o', 'leave.cprof', 'sh', '-c', leave);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /gap: Processes that the program had started are still running/);
  assert.deepEqual(ownFolders(), []);
  put('go', '');
  const codeFile = join(folder, 'left.code');
  const isWritten = () => existsSync(codeFile) && readFileSync(codeFile, 'utf8') !== '';
  await until(isWritten, () => 'the worker did not end');
  assert.equal(readFileSync(codeFile, 'utf8'), '0');
});

test('sites are positions in the source, by the source map of the file or of the tool that compiles it', async () => {
  put('built.mjs', BUILT);
  put('typed.mts', SOURCE);
  const sitesOf = (name: string) =>
    recordingOf(name).messages.flatMap(({ site: { user } }) => (user ? [`${user.file}:${user.line}`] : []));
  await record('node', 'built.mjs');
  assert.deepEqual(sitesOf('built.cprof').sort(), ['src/app.ts:6', 'src/app.ts:8']);
  await record('node', '--import', import.meta.resolve('tsx'), 'typed.mts');
  assert.deepEqual(sitesOf('typed.cprof').sort(), ['typed.mts:6', 'typed.mts:8']);
});

for (const code of usually([7], [0])) {
  test(`the file is saved in the temp folder if its path is unwritable at the end; exit code ${code}`, async () => {
    const text = `import { rmSync, writeFileSync } from 'node:fs';
rmSync('gone', { recursive: true });
writeFileSync('gone', '');
process.exitCode = ${code};`;
    put('gone.mjs', text);
    rmSync(join(folder, 'gone'), { force: true });
    const ended = await record('-o', 'gone/a.cprof', 'node', 'gone.mjs');
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, /^clone-prof: gone\/a\.cprof: cannot be written/);
    const [, saved = ''] = /^The recording is in (.*\/a\.cprof)$/m.exec(ended.stderr) ?? [];
    assert.ok(existsSync(saved), ended.stderr);
    rmSync(dirname(saved), { recursive: true });
    assert.deepEqual(ownFolders(), []);
  });
}
