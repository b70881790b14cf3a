import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { missing, type RuntimeSpec } from '../../support/runtimes.ts';
import { isWhole, usually } from '../../support/whole.ts';
import { bare, type Program, programOn, recorded, withoutFrames } from './recorded.ts';

const RUNTIMES = usually<RuntimeSpec>(
  ['node', 'node@26.10.0', 'bun@1.4.5', 'deno@2.9.6'],
  ['node@22.23.3', 'node@24.21.0', 'bun@1.2.20'],
);

/**
 * Beginning of a program: replaces built-ins by functions that note in `touched` that they were called while
 * `globalThis.watching`. `log` prints.
 */
const PATCHED_BUILT_INS = `const Reflect_apply = Reflect.apply;
const log = (...texts) => process.stdout.write(texts.join(' ') + '\\n');
const touched = [];
for (const [owner, keys] of [[Array.prototype, ['push', 'map', 'slice', 'indexOf', 'includes']], [Map.prototype, ['get', 'set', 'has']],
  [String.prototype, ['slice', 'startsWith', 'split', 'replace']], [WeakMap.prototype, ['get', 'set']], [Object, ['keys', 'entries', 'hasOwn']],
  [Reflect, ['ownKeys', 'apply', 'getOwnPropertyDescriptor']], [JSON, ['stringify']], [Function.prototype, ['call', 'apply']],
  [Math, ['max', 'min', 'ceil', 'floor']], [WeakSet.prototype, ['has', 'add']]]) {
  for (const key of keys) {
    const original = owner[key];
    owner[key] = { [key](...args) { if (globalThis.watching) touched[touched.length] = key; return Reflect_apply(original, this, args); } }[key];
  }
}
Object.prototype.toJSON = function () { touched[touched.length] = 'toJSON'; return this; };
`;

/** Each prints what a program can see of itself; with the tap it prints the same. */
const PROGRAMS: Record<string, Program['files']> = {
  'stacks in handlers of messages and errors of posts': {
    'main.cjs': `
const { Worker, MessageChannel, BroadcastChannel } = require('node:worker_threads');
Error.stackTraceLimit = 100;
const failing = (name, run) => { try { run(); } catch (error) { console.log(name, error.name, error.stack); } };
function deep(n, run) { return n === 0 ? run() : deep(n - 1, run); }
const { port1, port2 } = new MessageChannel();
failing('function', () => port1.postMessage(() => 1));
failing('deep', () => deep(30, () => port1.postMessage({ at: Symbol('a') })));
failing('clone', () => structuredClone(() => 1));
failing('no argument', () => structuredClone());
failing('getter', () => port1.postMessage({ get a() { throw new TypeError('from a getter'); } }));
failing('receiver', () => port1.postMessage.call({}, 1));
failing('worker', () => new Worker('./relative-without-dot-or-file:', { execArgv: 3 }));
failing('object', () => new Worker({}));
failing('no new', () => Worker('x'));
port2.on('message', (message) => { console.log('got', message, new Error('here').stack); port2.close(); });
port1.postMessage(1);
const worker = new Worker(__dirname + '/worker.cjs');
worker.on('message', (message) => { console.log(message, new Error('main').stack); worker.terminate().then(texts); });
worker.postMessage('go');
const posts = "import('node:worker_threads').then(function next({ parentPort }) { try { parentPort.postMessage(() => 1); } catch (error) { parentPort.postMessage(error.stack); } });";
const stackIn = (given, options) => new Promise((done) => new Worker(given, options).on('message', (stack) => done(console.log(stack))));
const texts = () => stackIn(posts, { eval: true }).then(() => stackIn(new URL('data:text/javascript,' + encodeURIComponent(posts))));
process.on('exit', () => console.log('exit', new Error('at exit').stack));
`,
    'worker.cjs': `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', () => { parentPort.postMessage(process.argv[1] + new Error('in the worker').stack); });
`,
  },

  'what reflection shows': {
    'main.cjs': `
const { MessagePort, MessageChannel, Worker, receiveMessageOnPort } = require('node:worker_threads');
const childProcess = require('node:child_process');
const shown = (owner, key) => {
  const { value, ...rest } = Object.getOwnPropertyDescriptor(owner, key);
  return [key, rest, value.name, value.length];
};
console.log(shown(MessagePort.prototype, 'postMessage'), shown(globalThis, 'structuredClone'));
console.log(shown(childProcess, 'spawnSync'), shown(childProcess.ChildProcess.prototype, 'spawn'));
console.log(Object.getOwnPropertyNames(childProcess.spawnSync));
console.log(Object.keys(MessagePort.prototype), Worker.name, Worker.length);
console.log(new MessageChannel().port1, Object.keys(process).length);
console.log(process.listenerCount('exit'), process.execArgv, process.argv.length, module.children.length);
console.log(process.getActiveResourcesInfo());
class Mine extends Worker {}
const worker = new Mine('', { eval: true });
console.log(worker instanceof Worker, worker.constructor === Mine, Worker.prototype.constructor.name);
console.log(Object.getOwnPropertyNames(worker).sort());
console.log(require('node:worker_threads').getEnvironmentData('clone-prof: thread'));
structuredClone({ a: [new URL('http://a/'), new (class Headers {})()] });
console.log(process.moduleLoadList.filter((name) => name.includes('undici')));
import('node:worker_threads').then((module) => console.log(module.Worker === Worker, module.receiveMessageOnPort === receiveMessageOnPort));
`,
  },

  'changed built-ins, frozen ones, revoked proxies and other realms': {
    'main.cjs': `
const { MessageChannel, Worker } = require('node:worker_threads');
const vm = require('node:vm');
${PATCHED_BUILT_INS}const { port1, port2 } = new MessageChannel();
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();
const trapped = new Proxy([1, 2], new Proxy({}, { get(_, trap) { touched[touched.length] = trap; } }));
const values = [1, 'text', { a: { b: [1, { c: 2 }] } }, [1, 2, 3], new Map([[{}, 1]]), vm.runInNewContext('({ a: [1], b: new Map() })'),
  new Error('e'), Object.create(null), new (class A { x = 1; get y() { touched[touched.length] = 'y'; return 1; } })()];
globalThis.watching = true;
for (let round = 0; round < 40; round++) {
  for (const value of values) port1.postMessage(value);
  for (const value of [proxy, { proxy }, trapped, { trapped }]) try { port1.postMessage(value); } catch (error) { if (round === 0) log(error.name); }
}
globalThis.watching = false;
log('touched', touched.length, touched.slice(0, 5));
port2.on('message', () => undefined);
setTimeout(() => port2.close(), 20);
`,
  },

  'its own formatter of stacks, a replaced process.emit, then frozen built-ins': {
    'main.cjs': `
const { MessageChannel, receiveMessageOnPort, MessagePort } = require('node:worker_threads');
let formatted = 0;
const { prepareStackTrace } = Error;
Error.prepareStackTrace = (error, sites) => { formatted++; return error + ' at ' + sites[0].getFunctionName(); };
const emit = process.emit;
process.emit = function (...args) { if (args[0] === 'exit') console.log('exit seen'); return emit.apply(this, args); };
{
  const { port1 } = new MessageChannel();
  function posts() { for (let i = 0; i < 50; i++) port1.postMessage({ i }); return new Error('e').stack; }
  console.log(posts(), formatted, Object.keys(Error));
  port1.close();
}
Error.prepareStackTrace = prepareStackTrace;
for (const one of [Object, Array, Map, Set, Function, String, Reflect, JSON, Error, Promise, MessagePort]) { Object.freeze(one); Object.freeze(one.prototype ?? {}); }
const { port1, port2 } = new MessageChannel();
for (let i = 0; i < 20; i++) port1.postMessage({ i, list: [i] });
let got = 0;
while (receiveMessageOnPort(port2)) got++;
console.log('got', got, new Error('limit').stack.split('\\n').length);
try { port1.postMessage(() => 1); } catch (error) { console.log(error.stack); }
port1.close();
`,
  },
};

/** On Bun and Deno: what they call blobs, and columns in code given as text, differ by themselves; they refuse other calls. */
const ON_NODE =
  /^failing\('(?:deep|no argument|worker|no new)'|^const (?:posts|stackIn|texts) = |^function deep/;

const withoutNode = (files: Program['files']): Program['files'] => {
  const lines = files['main.cjs']!.replace('.then(texts)', '').split('\n');
  return { ...files, 'main.cjs': lines.filter((line) => !ON_NODE.test(line)).join('\n') };
};

test('messages of a program that replaced built-ins are counted, and the gap is reported', async () => {
  const main = `const { push } = Array.prototype; Array.prototype.push = function (...all) { return push.apply(this, all); };
for (let i = 0; i < 30; i++) structuredClone({ i });`;
  const { messages, header } = await recorded({ files: { 'main.cjs': main } });
  const actual = messages.map(({ count, sample }) => [count, sample]);
  assert.deepEqual(actual, [[30, null]]);
  const what = 'messages not described: the program has replaced built-ins';
  assert.deepEqual(header.gaps, [{ what, count: 1 }]);
});

/** What the oldest Node shows of stacks and of changed built-ins is its own; the oldest Bun names a function in another way. */
function isOf(spec: RuntimeSpec, name: string): boolean {
  if (spec === 'bun@1.2.20') return !name.startsWith('what');
  return isWhole || spec !== 'node' || /stacks in|changed/.test(name);
}

describe('a recorded program prints the same', () => {
  for (const spec of RUNTIMES)
    for (const [name, onNode] of Object.entries(PROGRAMS)) {
      if (!isOf(spec, name)) continue;
      test(`${spec}: ${name}`, { skip: missing(spec) }, async () => {
        const files = name.startsWith('stacks') && !spec.startsWith('node') ? withoutNode(onNode) : onNode;
        const program = programOn(spec, files);
        const [without, withTap] = await Promise.all([bare(program), recorded(program)]);
        assert.equal(withoutFrames(withTap.stdout), without.stdout);
        assert.equal(withTap.code, without.code);
        assert.notEqual(without.stdout, '', without.stderr);
        assert.ok(withTap.threads.length > 0, 'it was not recorded');
      });
    }
});
