/** Names, messages and values without measure: a verdict or a short reason, soon. */
import assert from 'node:assert/strict';
import type { RuntimeSpec } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostileGuests } from './corpus.ts';

const MARKS = '\u0301\u0310\u0352\u0357'.repeat(50);
const run = (file: string, runtime = 'node', ...more: string[]) => [
  'analyze',
  file,
  '--no-measure',
  ...['-r', runtime, '--timeout', '20s'],
  ...more,
];
/** Two exports whose names differ in the last character. */
const longNames = (length: number) =>
  `const v = [1]; export { v as ${JSON.stringify('x'.repeat(length))}, v as ${JSON.stringify(`${'x'.repeat(length)}y`)} };`;
const OK = { exit: 0, stderr: null };
const FAILED = { exit: 3, stderr: [], mostLines: 3 };
const NO_RUNS = { never: /x{200}|m{200}|(?:m\s*){300}/ };

const FORMATS = usually(['terminal'], ['html', 'markdown', 'json']);

testHostileGuests('sizes', [
  ...FORMATS.map(
    (format): HostileCase => ({
      name: `export names of 200,000 characters, each chosen by its whole name, ${format}`,
      files: { 'm.mjs': longNames(200_000) },
      args: run('m.mjs', 'node', '-e', 'x'.repeat(200_000), `${'x'.repeat(200_000)}y`, '-f', format),
      ...OK,
      stdout: /x…~[0-9a-f]{8}[\s\S]*x…~[0-9a-f]{8}/,
      ...NO_RUNS,
    }),
  ),
  ...usually<HostileCase>(
    [],
    [
      {
        name: 'check with export names of 200,000 characters',
        files: { 'm.mjs': longNames(200_000) },
        args: ['check', 'm.mjs'],
        ...OK,
        stdout: /m#x+…~[0-9a-f]{8}/,
        ...NO_RUNS,
      },
      {
        name: 'export names of a million characters',
        files: { 'm.mjs': longNames(1_000_000) },
        args: run('m.mjs'),
        ...OK,
        ...NO_RUNS,
      },
    ],
  ),
  {
    name: 'an export name of combining marks, HTML',
    isRepeated: true,
    files: { 'm.mjs': `const v = [1]; export { v as "z${MARKS}" };` },
    args: run('m.mjs', 'node', '-f', 'html'),
    ...OK,
    never: /\p{M}{5}/u,
  },
  {
    name: 'ten thousand exports, and one that is not there',
    isRepeated: true,
    files: { 'm.mjs': Array.from({ length: 10_000 }, (_, i) => `export const rows_${i} = ${i};`).join('') },
    args: run('m.mjs', 'node', '-e', 'none'),
    exit: 2,
    stderr: [],
    mostLines: 3,
    stdout: /has no export 'none'[\s\S]*more\)/,
    never: /rows_9999/,
  },
  {
    // From 100 exports on an evaluation is kept for those that have not been asked for.
    name: 'a module of 105 exports is not evaluated for each of them',
    files: {
      'm.mjs': `if ((globalThis.evaluated = (globalThis.evaluated ?? 0) + 1) > 20) throw new Error('too often');
${Array.from({ length: 105 }, (_, i) => `export const rows_${i} = [${i}];`).join('')}`,
    },
    args: run('m.mjs', 'node', '-f', 'json'),
    ...OK,
  },
  {
    name: 'messages of 5 MB: of an error, of its name, thrown as a text; getters of module.exports that throw',
    files: {
      'a.mjs': `export function a() { throw new Error('m'.repeat(5e6)) }
export function b() { throw Object.assign(new Error('short'), { name: 'm'.repeat(5e6) }) }
export function c() { throw 'm'.repeat(5e6) }`,
      'm.cjs': `module.exports = { a: [1], get b() { throw new Error('no value') }, get c() { throw null },
  get d() { throw new Error('m'.repeat(5e6)) }, e: [2] };`,
    },
    args: ['analyze', 'a.mjs', 'm.cjs', '--no-measure', '-r', 'node', '--timeout', '20s'],
    exit: 3,
    stderr: [],
    mostLines: 18,
    stdout:
      /(?:\(5,000,000\s+characters\)[\s\S]*){3}m#a[\s\S]*m#e[\s\S]*the export 'b' threw when it was read: Error: no value/,
    never: /x{200}|m{200}|(?:m\s*){300}|\.ts:|dist\//,
  },
  {
    name: 'a module that throws 5 MB while it is loaded',
    isRepeated: true,
    files: { 'm.mjs': `throw new Error('m'.repeat(5e6)); export const v = 1;` },
    args: run('m.mjs'),
    exit: 2,
    stderr: [],
    mostLines: 3,
    stdout: /m\.mjs: threw while loading: Error:\s+m/,
    ...NO_RUNS,
  },
  {
    name: 'a class and a key with a name of a million characters; an export not initialized yet in a circle of modules',
    files: {
      'circle.mjs': `import './other.mjs'; export const ready = [1];`,
      'other.mjs': `export * from './circle.mjs';`,
      'm.mjs': `const C = { ['x'.repeat(1e6)]: class {} }['x'.repeat(1e6)];
export const a = [new C()]; export const b = { ['x'.repeat(1e6)]: { ['x'.repeat(1e6)]: [] } };
export const c = new Map([['x'.repeat(1e6), 1]]); export const d = Symbol('x'.repeat(1e6));`,
    },
    args: ['analyze', 'm.mjs', 'circle.mjs', '--no-measure', '-r', 'node', '--timeout', '20s'],
    ...OK,
    stdout: /m#d[\s\S]*circle#ready/,
    ...NO_RUNS,
  },
  {
    name: 'a function of a megabyte, quoted by the refusal of the engine',
    isRepeated: true,
    files: { 'm.mjs': `export const v = [eval('() => { ' + 'm'.repeat(1e6) + ' }')];` },
    args: run('m.mjs'),
    ...OK,
    ...NO_RUNS,
  },
  {
    name: 'output of 20 MB, and an exit',
    files: { 'm.mjs': `console.log('m'.repeat(2e7)); process.exit(1); export const v = 1;` },
    args: run('m.mjs', 'node', '-f', 'json'),
    ...FAILED,
    stdout: /the process exited/,
    also: ({ stdout }) => assert.ok(stdout.length < 12_000, `${stdout.length} characters`),
  },
]);

/** `a[5e7] = 1` is stored as a sparse array; `new Array(1e8)` in one block by some engines, as a dictionary by others. */
const HUGE: [name: string, code: string][] = [
  ['new Array(1e8)', 'export const v = new Array(1e8);'],
  ['a[5e7] = 1', 'export const v = []; v[5e7] = 1;'],
  // Bun refuses to post 2 GiB.
  ['2 GB of bytes', 'export const v = new Uint8Array(2e9);'],
];
testHostileGuests(
  'sizes',
  usually<RuntimeSpec>(['node', 'bun@1.4.5'], ['deno@2.9.6']).map(
    (spec): HostileCase => ({
      name: `${spec}: ${HUGE.map(([name]) => name).join(', ')}`,
      files: Object.fromEntries(HUGE.map(([, code], i) => [`m${i}.mjs`, code])),
      args: [
        'analyze',
        'm0.mjs',
        'm1.mjs',
        'm2.mjs',
        '--no-measure',
        '-r',
        spec === 'node' ? spec : `<${spec}>`,
      ],
      needs: [spec],
      ...OK,
      stdout: /m0#v ·[\s\S]*Slower[\s\S]*m1#v ·[\s\S]*Slower[\s\S]*m2#v ·[\s\S]*(?:Fast|Normal)/,
    }),
  ),
);

testHostileGuests('exports', [
  {
    name: 'a getter of module.exports that replaces JSON',
    isRepeated: true,
    files: {
      'm.cjs': `module.exports = { a: [1], get b() { JSON.stringify = () => 'mine'; Array.prototype.push = () => 0; return [2] } };`,
    },
    args: run('m.cjs'),
    ...OK,
    stdout: /m#a[\s\S]*m#b/,
  },
  {
    name: 'exports named after members of Object.prototype',
    isRepeated: true,
    files: { 'm.cjs': `module.exports = { ['__proto__']: [1], constructor: [2], toString: [3], then: 4 };` },
    args: run('m.cjs'),
    ...OK,
    stdout: /m#constructor[\s\S]*m#toString/,
  },
]);

testHostileGuests('timeouts', [
  {
    name: 'a module that waits for ever',
    files: { 'm.mjs': 'setInterval(() => {}, 1000); await new Promise(() => {}); export const v = 1;' },
    args: ['analyze', 'm.mjs', '--no-measure', '-r', 'node', '--timeout', '5s'],
    ...FAILED,
    stdout: /5000 ms while opening\s+it;[\s\S]*check\s+whether the module waits/,
  },
  {
    name: 'a factory that does not end loses no other',
    files: {
      'm.mjs':
        'export const b = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); export const c = [1];',
    },
    args: ['analyze', 'm.mjs', '--no-measure', '-r', 'node', '--timeout', '5s'],
    ...FAILED,
    stdout: /5000 ms while building\s+the payload[\s\S]*m#c ·[\s\S]*Normal/,
  },
  ...usually<RuntimeSpec>([], ['node', 'bun@1.4.5', 'deno@2.9.6']).map(
    (spec): HostileCase => ({
      name: `${spec}: an array that takes too long is told as too large, not as waiting`,
      files: { 'm.mjs': 'export const v = new Array(1e5).fill("€".repeat(5e6));' },
      args: [
        'analyze',
        'm.mjs',
        '--no-measure',
        '-r',
        spec === 'node' ? spec : `<${spec}>`,
        '--timeout',
        '5s',
      ],
      needs: [spec],
      ...FAILED,
      stdout: /while describing\s+the\s+payload;[\s\S]*use\s+a\s+smaller\s+payload/,
    }),
  ),
]);
