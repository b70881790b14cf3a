/** The projects in examples/, each in a copy that has this package as its dependency. */
import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { type Plugin, rollup } from 'rollup';
import { readRecording } from '../../src/faces/library/runs.ts';
import { NETWORK_ENV } from '../support/fetched.ts';
import { endOf, ROOT, runProgram, spawnCli } from '../support/spawn-cli.ts';
import { onlyInWhole } from '../support/whole.ts';

const folder = mkdtempSync(join(tmpdir(), 'clone-prof-examples-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** @returns folder of the copy */
function copied(name: string): string {
  const copy = mkdtempSync(join(folder, `${name}-`));
  cpSync(join(ROOT, 'examples', name), copy, { recursive: true });
  mkdirSync(join(copy, 'node_modules'));
  symlinkSync(ROOT, join(copy, 'node_modules', 'clone-prof'), 'junction');
  return copy;
}

const textOf = (...path: string[]) => readFileSync(join(...path), 'utf8');
/** Words of a script of package.json, after `clone-prof`. */
function wordsOf(project: string, script: string): string[] {
  const { scripts } = JSON.parse(textOf(project, 'package.json')) as { scripts: Record<string, string> };
  const [program, ...words] = scripts[script]!.split(' ');
  assert.equal(program, 'clone-prof');
  return words;
}

// Each waits for programs most of the time.
describe('programs of Node.js', { concurrency: true }, () => {
  test('worker-pool: the recording of fast.mjs has a tenth of the bytes, and the results are the same', async () => {
    const cwd = copied('worker-pool');
    const recorded = async (script: string, file: string) => {
      const { code, stdout, stderr } = await spawnCli(wordsOf(cwd, script), { cwd });
      assert.equal(code, 0, stderr);
      const { messages } = await readRecording(join(cwd, file));
      return { stdout, bytes: messages.reduce((sum, { bytes }) => sum + (bytes?.total ?? 0), 0) };
    };
    const [app, fast] = await Promise.all([
      recorded('record', 'app.cprof'),
      recorded('record:fast', 'fast.cprof'),
    ]);
    assert.equal(app.stdout, '2000 products in 40 shelves\n');
    assert.equal(fast.stdout, app.stdout);
    assert.ok(app.bytes > 10 * fast.bytes && fast.bytes > 0, `${app.bytes} and ${fast.bytes} bytes`);
  });

  test('ci-gate: the gate and the unit test pass, and both fail for a function in the message', async () => {
    const cwd = copied('ci-gate');
    // Otherwise node --test takes itself for a part of this run.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
    const both = () =>
      Promise.all([
        spawnCli(wordsOf(cwd, 'check'), { cwd }),
        endOf(runProgram([process.execPath, '--test'], { cwd, env })),
      ]);
    for (const { code, stdout, stderr } of await both()) assert.equal(code, 0, stdout + stderr);
    const source = textOf(cwd, 'src', 'task.mjs');
    assert.ok(source.includes('user: user.id'));
    writeFileSync(join(cwd, 'src', 'task.mjs'), source.replace('user: user.id', 'user'));
    const [gate, unit] = await both();
    assert.equal(gate.code, 1, gate.stderr);
    assert.match(gate.stderr, /task#resize on node@\S+: class rejected, .* at \$\.user\.save/);
    assert.equal(unit.code, 1);
    assert.match(unit.stdout, /\$\.user\.save/);
  });
});

/** Vite compiles TypeScript by itself. */
const typescript: Plugin = {
  name: 'typescript',
  resolveId: (id, from) => (id === './total' && from ? join(from, '..', 'total.ts') : null),
  transform: async (code, id) => (id.endsWith('.ts') ? (await transform(code, { loader: 'ts' })).code : null),
};

test('vite-worker: page and worker have the codec of orders.json, its types are committed and fit', async () => {
  const cwd = copied('vite-worker');
  const types = textOf(cwd, 'src', 'codecs.d.ts');
  const config = (await import(pathToFileURL(join(cwd, 'vite.config.js')).href)) as {
    default: { plugins: (Plugin & { config?: () => { worker: { plugins: () => Plugin[] } } })[] };
  };
  const { plugins } = config.default;
  const { worker } = plugins[0]!.config!();
  const built = async (entry: string, own: Plugin[]) => {
    const bundle = await rollup({ input: join(cwd, 'src', entry), plugins: [...own, typescript] });
    return (await bundle.generate({ format: 'es' })).output[0].code;
  };
  const page = await built('main.ts', plugins);
  const inWorker = await built('worker.ts', worker.plugins());
  assert.match(page, /toMessage\(orders/);
  assert.match(inWorker, /totalOf\(fromMessage\(data\)\)/);
  assert.equal(textOf(cwd, 'src', 'codecs.d.ts'), types);
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, stdout } = await endOf(runProgram([process.execPath, tsc, '--singleThreaded'], { cwd }));
  assert.equal(code, 0, stdout);
});

/** Installed once for all builds. */
async function viteBuilds(cwd: string): Promise<Map<string, string>> {
  const tools = join(folder, 'vite');
  const vite = join(tools, 'node_modules', 'vite', 'bin', 'vite.js');
  if (!existsSync(vite)) {
    mkdirSync(tools);
    const options = ['--prefix', tools, '--prefer-offline', '--no-audit', '--no-fund'];
    const installed = await endOf(
      runProgram(['npm', 'install', ...options, 'vite@7'], { cwd: tools, env: NETWORK_ENV }),
    );
    assert.equal(installed.code, 0, installed.stderr);
  }
  const built = await endOf(runProgram([process.execPath, vite, 'build'], { cwd }));
  assert.equal(built.code, 0, built.stdout + built.stderr);
  const scripts = readdirSync(join(cwd, 'dist', 'assets')).filter((name) => name.endsWith('.js'));
  return new Map(scripts.map((name) => [name.split('-')[0]!, textOf(cwd, 'dist', 'assets', name)]));
}

test('vite-worker: Vite builds it', { skip: onlyInWhole }, async () => {
  const scripts = await viteBuilds(copied('vite-worker'));
  assert.deepEqual([...scripts.keys()].sort(), ['index', 'worker']);
  for (const text of scripts.values()) assert.match(text, /another schema|Int32Array/);
});

test('the config in docs/codec.md builds a worker, of samples in JSON and TypeScript', {
  skip: onlyInWhole,
}, async () => {
  const [, config = ''] =
    /```js\n(\/\/ vite\.config\.js.*?)```/s.exec(textOf(ROOT, 'docs', 'codec.md')) ?? [];
  const cwd = copied('vite-worker');
  writeFileSync(join(cwd, 'vite.config.js'), config);
  writeFileSync(
    join(cwd, 'src', 'trades.ts'),
    `export interface Trade { id: number; currency: 'EUR' | 'USD' }
const secret = 'a value of the sample';
export const trades = (): Trade[] => [{ id: secret.length, currency: 'EUR' }, { id: 2, currency: 'USD' }];\n`,
  );
  const use = `import { fromMessage as trades, toMessage as ofTrades } from './trades.ts?codec';
import type { Trade } from './trades';
export const all: Trade[] = trades(ofTrades([{ id: 1, currency: 'USD' }]));
console.log(all.length);\n`;
  for (const file of ['main.ts', 'worker.ts'])
    writeFileSync(join(cwd, 'src', file), use + textOf(cwd, 'src', file));
  const scripts = await viteBuilds(cwd);
  assert.deepEqual([...scripts.keys()].sort(), ['index', 'worker']);
  for (const text of scripts.values()) {
    assert.match(text, /cannot read a message of codec/);
    assert.doesNotMatch(text, /a value of the sample/);
  }
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, stdout } = await endOf(runProgram([process.execPath, tsc, '--singleThreaded'], { cwd }));
  assert.equal(code, 0, stdout);
});
