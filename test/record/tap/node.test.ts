import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { lines, type Program, type Recorded, recorded } from './recorded.ts';

const NODES = usually<RuntimeSpec>(['node', 'node@26.10.0'], ['node@22.23.3', 'node@24.21.0']);

type Check = (result: Recorded) => void;

function testOnNodes(name: string, files: Program['files'], check: Check): void {
  for (const spec of NODES)
    test(`${spec}: ${name}`, { skip: missing(spec) }, async () =>
      check(await recorded({ files, binary: runtime(spec).binary })),
    );
}

const COMPILED = {
  'main.mjs': `
import { getEnvironmentData, Worker } from 'node:worker_threads';
import { Script } from 'node:vm';
const seen = {};
const compiled = () => getEnvironmentData('clone-prof: thread')?.compiled;
const looks = [
  () => (seen.first = compiled() ?? null),
  () => {
    const { text, cache } = compiled();
    seen.isRejected = new Script(text, { cachedData: cache }).cachedDataRejected;
  },
  () => (seen.spoilt = compiled().cache.fill(0).length > 10_000),
  () => {},
];
for (const look of looks) {
  // Read while the worker is made, so that its data are there.
  const options = { get stdin() { look(); return false; } };
  const worker = new Worker(new URL('worker.mjs', import.meta.url), options);
  await new Promise((done) => worker.once('exit', done));
}
console.log(JSON.stringify({ ...seen, kept: compiled() ?? null }));
`,
  'worker.mjs': `import { parentPort } from 'node:worker_threads';
parentPort.postMessage({ code: 'spoilt' });
`,
};

testOnNodes('a worker whose compiled recorder is rejected compiles it', COMPILED, (result) => {
  assert.deepEqual(JSON.parse(result.stdout), { first: null, isRejected: false, spoilt: true, kept: null });
  assert.equal(result.stderr, '');
  assert.deepEqual(lines(result), [
    '4 parentPort.postMessage worker worker.mjs -> main, received 4, at worker.mjs:2',
  ]);
});

const POOL = {
  'main.mjs': `
import { Worker } from 'node:worker_threads';
const catalog = Array.from({ length: 300 }, (_, id) => ({ id, title: 'title ' + id }));
const workers = [1, 2, 3].map(() => new Worker(new URL('worker.mjs', import.meta.url)));
const sent = (worker, message) => new Promise((done) => {
  worker.once('message', done);
  worker.postMessage(message);
});
for (const worker of workers) await sent(worker, catalog);
for (let at = 0; at < 30; at++) await sent(workers[at % 3], { rows: catalog });
for (const worker of workers) worker.postMessage(null);
`,
  'worker.mjs': `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (message) => (message === null ? parentPort.close() : parentPort.postMessage(1)));
`,
};

testOnNodes(
  'what a worker gets is compared with what it got before, not with what others got',
  POOL,
  (result) => {
    const once = result.messages.find(({ bytes, count }) => count === 3 && bytes!.max > 1000);
    const again = result.messages.find(({ count }) => count === 30)!;
    assert.equal(once?.receivers, 3);
    assert.equal(once?.changes, undefined);
    assert.ok(again.changes!.compared > 0);
    assert.equal(again.changes!.same, again.changes!.compared);
  },
);

/** Node posts for all of these too: what is written to stdout of a worker, hooks, streams, its own channels. */
const INTERNAL = {
  'main.mjs': `
import { register } from 'node:module';
import { once } from 'node:events';
import { MessageChannel, postMessageToThread, Worker } from 'node:worker_threads';
register('data:text/javascript,export const resolve = (name, context, next) => next(name, context)');
const worker = new Worker(new URL('./worker.mjs', import.meta.url), { stdout: true, stdin: true });
const message = once(worker, 'message');
worker.stdin.end('typed');
for await (const chunk of worker.stdout) process.stdout.write(chunk);
await message;
const { readable } = new TransformStream();
structuredClone(readable, { transfer: [readable] });
`,
  'worker.mjs': `
import { parentPort } from 'node:worker_threads';
process.stdin.on('data', (chunk) => console.log('got', String(chunk)));
console.log('a line'); console.error('another');
parentPort.postMessage('one');
`,
};

testOnNodes("Node's own messages are not told", INTERNAL, (result) => {
  assert.match(result.stdout, /a line\n(?:.*\n)*got typed\n/, result.stderr);
  const own = lines(result).filter((line) => !line.includes('MessagePort.postMessage'));
  assert.deepEqual(own, [
    '1 parentPort.postMessage worker worker.mjs -> main, received 1, at worker.mjs:5',
    '1 structuredClone main -> null, at main.mjs:12',
  ]);
});

const GIVEN = {
  'main.cjs': `
const { Worker } = require('node:worker_threads');
const pixels = new Float64Array(5000);
new Worker('', { eval: true, workerData: pixels.subarray(0, 10), transferList: [pixels.buffer] });
`,
};

testOnNodes('a buffer that is moved to a new worker has its bytes, and hides none', GIVEN, ({ messages }) => {
  const { sample, transfer } = messages[0]!;
  const buffer = { is: 'buffer', bytes: 40_000, moved: true };
  assert.deepEqual(sample, { is: 'view', type: 'Float64Array', bytes: 40_000, offset: 0, on: buffer });
  assert.deepEqual([transfer.listed, transfer.hiddenBytes], [1, 0]);
});

const AGAIN = {
  'main.cjs': `
const { buffer } = new WebAssembly.Memory({ initial: 1 });
for (let i = 0; i < 4; i++) structuredClone({ i, buffer });
for (let i = 0; i < 4; i++) structuredClone({ i, made: new ArrayBuffer(8) });
const { port1 } = new (require('node:worker_threads').MessageChannel)();
for (let i = 0; i < 40; i++)
  if (i === 23) port1.postMessage({ i, text: 'once' });
  else port1.postMessage({ i, text: 'again' });
port1.close();
`,
};

testOnNodes(
  'a buffer that is posted again could not be transferred, and a line that posts once is told',
  AGAIN,
  ({ messages }) => {
    const told = messages.map((one) => [
      one.site.user?.line,
      one.count,
      one.estimated,
      one.transfer.possible,
    ]);
    assert.deepEqual(told.sort(), [
      [3, 4, false, 1],
      [4, 4, false, 4],
      [7, 1, false, 0],
      [8, 39, false, 0],
    ]);
  },
);

/** No address has such a `%`. */
const ODD_MAP = { version: 3, sources: ['file:///app/100%.ts'], names: [], mappings: 'AAAA' };
const ODD = {
  'main.cjs': "process.setSourceMapsEnabled(true);\nrequire('./odd.ts');\n",
  'odd.ts': `structuredClone(1);
//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(ODD_MAP))}`,
};

testOnNodes('an odd name of a source in a source map loses no message', ODD, (result) =>
  assert.deepEqual(lines(result), ['1 structuredClone main -> null, at /app/100%.ts:1']),
);
