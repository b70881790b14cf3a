import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thrownText } from '../../../src/record/sites/sites.ts';
import { missing, type RuntimeSpec } from '../../support/runtimes.ts';
import { bare, type Program, programOn, recorded } from './recorded.ts';

/** 40 of 41 posts of one line throw, in an async function too; a clone, data of a worker, and a getter that throws. */
const FILES: Program['files'] = {
  'main.mjs': `import { MessageChannel, Worker } from 'node:worker_threads';
const { port1 } = new MessageChannel();
class User { save = () => {}; }
const send = (message) => { port1.postMessage(message); };
send({ ctx: { list: [1, 2] } });
const names = new Set();
let stacks = '';
const failed = (error) => { names.add(error.name); stacks += error.stack + error.message; };
for (let i = 0; i < 39; i++) try { send({ ctx: { list: [1, 2], user: new User() } }); } catch (error) { failed(error); }
await (async () => send({ ctx: { user: new User() } }))().catch(failed);
try { structuredClone({ secret: { 'a@b.c': Promise.resolve() } }); } catch (error) { failed(error); }
try { port1.postMessage({ get a() { throw new RangeError('valued'); } }); } catch (error) { failed(error); }
try { new Worker('', { eval: true, workerData: { list: [Symbol('x')] } }); } catch (error) { failed(error); }
port1.close();
console.log([...names].join(), process.argv.includes('stacks') ? stacks : '');
`,
};

const THREW = [
  'main.mjs:4: 40 of 41 posts threw DataCloneError: $.ctx.user.save is a function',
  'main.mjs:11: 1 of 1 post threw DataCloneError: $.secret.* is a Promise',
  'main.mjs:12: 1 of 1 post threw RangeError: $.a is a getter, whose value is not known',
  'main.mjs:13: 1 of 1 post threw DataCloneError: $.list[0] is a symbol',
];

for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6'] as RuntimeSpec[])
  test(`${spec}: posts that throw: counts, and paths of what was refused`, {
    skip: missing(spec),
  }, async () => {
    const program = programOn(spec, FILES);
    const result = await recorded(program);
    assert.equal(result.stdout, 'DataCloneError,RangeError \n', result.stderr);
    const { thrown = [] } = result.header;
    assert.deepEqual(thrown.map(thrownText), THREW);
    assert.equal(thrown[0]!.stack[0]!.line, 4);
    assert.ok(!/a@b|valued/.test(result.written), 'a key or a message was written');
  });

test('a doctor tells the program itself', async () => {
  const settings = { doctor: true };
  const files = { 'main.mjs': FILES['main.mjs']!.replace("process.argv.includes('stacks')", 'true') };
  const { stdout, written } = await recorded({ files, settings });
  const [first] = stdout.split('\n').filter((line) => line.includes('could not be cloned'));
  const told = '[$.ctx.user.save is a function, posted at <folder>/main.mjs:4]';
  assert.ok(first!.endsWith(`could not be cloned. ${told}`), first);
  // In the stack and in the message of each.
  assert.equal(stdout.split(told).length - 1, 80);
  assert.ok(stdout.includes('[$.secret["a@b.c"] is a Promise, posted at'), stdout.slice(-2000));
  assert.ok(written.includes('"thrown"'));
  assert.ok(!/a@b|valued/.test(written), 'a key or a message was written');
});

test('posts of one line that throw again and again are not looked at each time; those while the thread ends are counted', async () => {
  const files = {
    'main.cjs': `const { Worker } = require('node:worker_threads');
const post = (i) => { try { structuredClone({ i, f() {} }); } catch {} };
for (let i = 0; i < 2000; i++) post(i);
try { new Worker('rel.js', { workerData: { get a() { return 1; } } }); } catch {}
process.on('exit', () => { for (let i = 0; i < 37; i++) { try { structuredClone(() => i); } catch {} } });
`,
  };
  const result = await recorded({ files });
  assert.deepEqual(result.header.thrown?.map(thrownText), [
    'main.cjs:2: 2,000 of 2,000 posts threw DataCloneError: $.f is a function',
    'main.cjs:5: 37 of 37 posts threw DataCloneError: $ is a function',
  ]);
  assert.deepEqual(result.messages, []);
  const written = result.written.split('\n').filter((line) => line.includes('"record":"message"')).length;
  assert.ok(written < 100, `${written} looks were written`);
});

test('messages that arrive and cannot be read are counted at the receiver', async () => {
  const files = {
    'main.cjs': `const { MessageChannel, Worker } = require('node:worker_threads');
const cyclic = Object.assign(new Error('valued'), {});
cyclic.cause = cyclic;
const { port1, port2 } = new MessageChannel();
const worker = new Worker('./worker.cjs');
const got = [];
const heard = (what) => { if (got.push(what) === 4) { port1.close(); worker.terminate(); console.log(got.sort().join()); } };
port2.on('message', () => heard('port')).on('messageerror', () => heard('port unread'));
worker.on('message', heard);
for (const message of [cyclic, { plain: 1 }]) { port1.postMessage(message); worker.postMessage(message); }
`,
    'worker.cjs': `const { parentPort } = require('node:worker_threads');
parentPort.on('message', () => parentPort.postMessage('worker'));
parentPort.on('messageerror', () => parentPort.postMessage('worker unread'));
`,
  };
  const [without, result] = await Promise.all([bare({ files }), recorded({ files })]);
  assert.equal(result.stdout, without.stdout, result.stderr);
  // Node 20 cannot read such an error; later versions can.
  const unread = without.stdout.includes('port unread');
  const counts = ['main', 'worker worker.cjs'].map((thread) => ({ thread, count: 1 }));
  assert.deepEqual(result.header.unread ?? [], unread ? counts : []);
  const toWorker = result.messages.filter(({ api }) => api !== 'MessagePort.postMessage');
  assert.ok(toWorker.every(({ count, received }) => count === received));
});
