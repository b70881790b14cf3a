import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { globSync } from 'tinyglobby';
import { trackChildProcesses, until } from '../../support/child-processes.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { ANY_RUNTIME, missing } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { usually } from '../../support/whole.ts';

afterEach(trackChildProcesses());
const folder = new PayloadFolder();

/** In the project, whose packages it needs: one that compiles TypeScript as it loads takes a second to start. */
const bundle = mkdtempSync(join(ROOT, '.cache', 'host-'));
const script = `import { bundleTests } from './scripts/bundle-tests.mjs';
  await bundleTests(process.cwd(), [['test/runtimes/process/guest-host.ts']], ${JSON.stringify(bundle)});`;
execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
const HOST = globSync('*.mjs', { cwd: bundle, absolute: true })[0]!;
after(() => rmSync(bundle, { recursive: true }));
let hosts = 0;
const SPECS = usually(['node', 'bun@1.4.5'], ['deno@2.9.6']);

/** Starts the host; `reached` is the file that the module writes once it runs in a guest. */
function startHost(
  spec: string,
  ending: string,
  body: string,
): { host: ChildProcess; reached: string; output: () => string } {
  const name = `host${++hosts}`;
  const reached = join(folder.path, `${name}.reached`);
  const file = folder.file(
    `${name}.mjs`,
    `import { writeFileSync } from 'node:fs'; import { spawn } from 'node:child_process';
     spawn('sleep', ['300'], { stdio: 'ignore' }).unref();
     if (process.platform === 'linux') spawn('sleep', ['301'], { stdio: 'ignore', detached: true }).unref();
     writeFileSync(${JSON.stringify(reached)}, '');
     ${body}; export const value = 1`,
  );
  const host = spawn(process.execPath, [HOST, spec, file, folder.path, ending], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [host.stdout, host.stderr]) stream?.on('data', (piece) => (said += piece));
  return { host, reached, output: () => said };
}

/** Waits until user code runs, and gives how the host ends by `end`. */
async function endedBy(
  { host, reached, output }: ReturnType<typeof startHost>,
  end: (host: ChildProcess) => unknown,
): Promise<number | string> {
  await until(() => existsSync(reached), output);
  const ending = ended(host);
  end(host);
  return ending;
}

const ended = (host: ChildProcess) =>
  new Promise<number | string>((resolve) =>
    host.once('close', (code, signal) => resolve(signal ?? code ?? -1)),
  );

for (const spec of SPECS) {
  for (const [how, body] of usually(
    [['is stuck in a loop', 'for (;;) {}']],
    [['waits', 'await new Promise(() => setInterval(() => {}, 1000))']],
  )) {
    test(`${spec}: a guest that ${how} ends with a host that is killed, and so does what it started`, {
      skip: missing(spec),
    }, async () => {
      const started = startHost(spec, 'wait', body);
      assert.equal(await endedBy(started, (host) => host.kill('SIGKILL')), 'SIGKILL');
    });
  }
}

for (const spec of ANY_RUNTIME)
  test(`${spec}: an abort on Ctrl-C ends the guests, and the host ends by itself`, {
    skip: missing(spec),
  }, async () => {
    const started = startHost(spec, 'signal', 'for (;;) {}');
    assert.equal(await endedBy(started, (host) => host.kill('SIGINT')), 0, started.output());
    assert.match(started.output(), /interrupted/);
  });

test('guests end with a host that is killed after others have ended', async () => {
  const started = startHost('node', 'wait-again', 'for (;;) {}');
  assert.equal(await endedBy(started, (host) => host.kill('SIGKILL')), 'SIGKILL');
});

test('a guest ends with a host that is killed while it starts it', {
  skip: process.platform !== 'linux' && 'elsewhere no environment tells whose it is',
}, async () => {
  const { host } = startHost('node', 'starting', '');
  assert.equal(await ended(host), 'SIGKILL');
});

for (const [ending, code] of usually<[ending: string, code: number]>(
  [['throw', 1]],
  [
    ['return', 0],
    ['killAll', 0],
  ],
)) {
  test(`a host that ends by ${ending} leaves no guest`, async () => {
    const { host, output } = startHost('node', ending, '');
    assert.equal(await ended(host), code, output());
  });
}

test('a host in a terminal: SIGINT to its whole group leaves no process', async () => {
  const started = startHost('node', 'wait', 'for (;;) {}');
  assert.equal(await endedBy(started, ({ pid = 0 }) => process.kill(-pid, 'SIGINT')), 'SIGINT');
});
