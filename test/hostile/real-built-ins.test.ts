/** Modules that replace built-ins of their runtime when they load, in a factory, or later: measuring still works. */

import { usually } from '../support/whole.ts';
import { type HostileCase, testHostileGuests } from './corpus.ts';

const VALUE = '\nexport const v = [{ a: [1] }, { a: [2] }];\n';

/** By what they replace. Each is opened in the process in which the others were. */
const REPLACED: Readonly<Record<string, string>> = {
  clock: 'performance.now = () => 5; process.hrtime = () => [0, 0];',
  timers: `globalThis.setTimeout = globalThis.setInterval = globalThis.setImmediate = () => 0;
    globalThis.queueMicrotask = () => {}; process.nextTick = () => {};`,
  timersModule: `import t from 'node:timers'; import { syncBuiltinESMExports } from 'node:module';
    t.setImmediate = t.setTimeout = () => 0; syncBuiltinESMExports?.();`,
  promise: `globalThis.Promise = class { constructor() { throw new Error('mine') } };`,
  awaiting: 'Promise.prototype.then = function () { return this };',
  thenable: `Object.prototype.then = function (f) { f('mine') };`,
  workers: `globalThis.Worker = globalThis.MessageChannel = class { constructor() { throw new Error('mine') } };
    MessagePort.prototype.postMessage = function () {};`,
  workerModule: `import w from 'node:worker_threads'; import { syncBuiltinESMExports } from 'node:module';
    w.Worker = w.MessageChannel = class { constructor() { throw new Error('mine') } };
    w.receiveMessageOnPort = () => undefined; syncBuiltinESMExports?.();`,
  json: `JSON.parse = () => null; JSON.stringify = () => 'mine'; structuredClone = () => ({});`,
  iterator: `Array.prototype[Symbol.iterator] = function* () { throw new Error('mine') };`,
  arrays: 'Array.prototype.push = () => 0; Array.prototype.slice = () => [];',
  reflect: `Reflect.ownKeys = Object.keys = () => []; Reflect.getOwnPropertyDescriptor = () => undefined;`,
  maps: 'Map.prototype.get = WeakMap.prototype.get = () => undefined; Set.prototype.has = () => true;',
  texts: `String.prototype.indexOf = () => -1; String.prototype.slice = () => ''; RegExp.prototype.exec = () => null;`,
  process: `process.exit = process.kill = () => {}; process.emit = () => true;
    process.on = () => { throw new Error('mine') };`,
  emitter: `import { EventEmitter } from 'node:events';
    EventEmitter.prototype.emit = () => true; EventEmitter.prototype.on = function () { return this };`,
  files: `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    for (const name of ['readFileSync', 'openSync', 'writeFileSync', 'realpathSync'])
      fs[name] = () => { throw new Error('mine') };
    syncBuiltinESMExports?.();`,
  later: `setTimeout(() => { performance.now = () => 5; globalThis.setImmediate = () => 0; }, 1);`,
};
const FACTORY = `import './timersModule.mjs';
export function v() {
  performance.now = () => 5; globalThis.setImmediate = globalThis.setTimeout = () => 0; JSON.parse = () => null;
  Array.prototype[Symbol.iterator] = undefined; Promise.prototype.then = undefined;
  return [{ a: [1] }, { a: [2] }];
}`;

const files = Object.fromEntries([
  ...Object.entries(REPLACED).map(([name, code]) => [`${name}.mjs`, code + VALUE]),
  ['factory.mjs', FACTORY],
]);
const all = Object.keys(files);
const spec = (runtime: string) => (runtime === 'node' ? runtime : `<${runtime}>`);
/** Every module is described, and nothing failed. */
const verdicts = (names: readonly string[]) =>
  new RegExp(names.map((name) => `${name.replace('.mjs', '')}#v · \\d+ B · `).join('[\\s\\S]*'));
const OK = { exit: 0, stderr: [], mostLines: 1, never: /✖/ };

const RUNTIMES = usually(['node', 'bun@1.4.5'], ['deno@2.9.6']);
const MEASURED = usually<(typeof RUNTIMES)[number]>(['node'], ['bun@1.4.5', 'deno@2.9.6']);

testHostileGuests(
  'built-ins',
  RUNTIMES.flatMap((runtime): HostileCase[] => [
    {
      name: `${runtime}: described: ${Object.keys(REPLACED).join(', ')}`,
      files,
      args: ['analyze', ...all, '--no-measure', '-r', spec(runtime)],
      needs: [runtime],
      ...OK,
      stdout: verdicts(all),
    },
    ...MEASURED.filter((one) => one === runtime).map(
      (): HostileCase => ({
        name: `${runtime}: measured: clock and timers, in a factory and in the module of timers`,
        files,
        args: [
          ...['analyze', 'factory.mjs'],
          ...['-r', spec(runtime), '-b', '50ms', '--timeout', '20s', '-f', 'json'],
        ],
        needs: [runtime],
        ...OK,
        mostLines: 10,
        stdout: /"status": "measured"/,
      }),
    ),
  ]),
);
