/** Pull requests against one project: what its config demands, and what each changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LimitsConfig, PayloadConfig } from '../../src/model/documents/config.ts';
import type { FakePlace, FakeScript } from '../support/fake-runtime.ts';
import type { FakeTimes } from '../support/scripted-samples.ts';

export const CONFIG = 'clone-prof.config.json';
export const BASELINE = 'clone-prof.baseline.json';
export const RUNTIMES = ['bun@1.4.5', 'node@24.0.0'];

export interface ProjectConfig {
  extends?: string;
  new?: string;
  undecided?: string;
  runtimes: string[];
  channels: string[];
  limits: LimitsConfig;
  remedies?: string[];
  payloads: (string | PayloadConfig)[];
  [key: string]: unknown;
}

const row = (id: number) => ({ id, name: `name ${id}`, tags: ['a', 'b'] });
const rowsText = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => row(id)));

const ONLY_TIME: LimitsConfig = {
  class: 'off',
  maxBytes: 'off',
  maxNodes: 'off',
  maxDepth: 'off',
  time: '+10%',
};

/** What main holds. */
export const config = (): ProjectConfig => ({
  extends: 'recommended',
  runtimes: ['node', 'bun@1.4.5'],
  channels: ['worker', 'message-port'],
  limits: { time: 'off', maxDepth: '+0%', maxNodes: '+10%' },
  payloads: [
    {
      id: 'orders',
      input: 'data/orders.json',
      limits: { maxBytes: '2 kB', maxNodes: 100, maxDepth: 3, class: 'serialized', lossy: 'error' },
    },
    'data/rows.json',
    { id: 'files', input: 'data/files/*.json', channels: ['worker'] },
    { id: 'log', input: 'data/log.ndjson', export: 'order', runtimes: ['node'], channels: ['worker'] },
    { id: 'tile', input: 'data/tile.json', remedies: ['./tile.mjs'], via: 'comlink', channels: ['worker'] },
    { id: 'timed', input: 'data/timed.json', runtimes: ['node'], channels: ['worker'], limits: ONLY_TIME },
    { id: 'made', input: 'made.mjs', export: 'make', runtimes: ['node'], channels: ['worker'] },
    { id: 'read', input: 'read.mjs', export: 'make', runtimes: ['node'], limits: ONLY_TIME },
  ],
});

export const FILES: Readonly<Record<string, string>> = {
  'data/orders.json': rowsText(10),
  'data/rows.json': rowsText(5),
  'data/small.json': '[1]',
  'data/files/a.json': rowsText(3),
  'data/files/b.json': rowsText(4),
  'data/log.ndjson': '{"type":"order","id":1}\n{"type":"user","id":2,"name":"Ada"}\n',
  'data/tile.json': rowsText(2),
  'data/timed.json': rowsText(6),
  'made.mjs': 'export const make = () => rows(3);\n',
  'read.mjs': 'export const make = () => JSON.parse(readFileSync("data/read.json"));\n',
  'data/read.json': rowsText(3),
  'tile.mjs': 'export const apply = (value) => [value];\nexport const restore = ([value]) => value;\n',
};

/** Calls of the module, in each guest. */
const calls = new WeakMap<FakePlace, number>();

function countCall(place: FakePlace): number {
  const before = calls.get(place) ?? 0;
  calls.set(place, before + 1);
  return before;
}

/** What the modules of the project make, which fake guests do not run. */
function made(text: string, place: FakePlace): unknown {
  const { cwd, elsewhere } = place;
  if (text.includes('readFileSync')) return JSON.parse(readFileSync(join(cwd, 'data/read.json'), 'utf8'));
  // The tests run on CI, so to speak.
  const [, few, many] = /rows\((\d+)\)(?: : rows\((\d+)\))?/.exec(text) ?? [];
  const isFew =
    many === undefined ||
    (text.includes('calls') ? countCall(place) < Number(/< (\d+)/.exec(text)?.[1]) : !elsewhere);
  return Array.from({ length: Number(isFew ? few : many) }, (_, id) => row(id));
}

/** While it is measured a payload has the id of its entry. */
export const MADE: NonNullable<FakeScript['values']> = {
  ...{ made, 'made#make': made, read: made, 'read#make': made },
};

export interface PullRequest {
  name: string;
  /** Of the config of main. */
  edit?: (config: ProjectConfig) => void;
  /** Files that it writes; null: removes. */
  files?: Readonly<Record<string, string | null>>;
  /** Where it is checked, from the root of the repository. */
  folder?: string;
  /** What is measured. */
  times?: FakeTimes;
  /** Of main, where it is not `config()`. */
  main?: (config: ProjectConfig) => void;
  /** Of a weaker one, where it is not 1: 2 for what is not there, 3 for what cannot be decided or measured. */
  exit?: 2 | 3;
  /** Text of main's config, where it is not `main` as JSON. */
  before?: string;
  /** The config's text, where it is not the edited one as JSON. */
  text?: (config: ProjectConfig) => string;
}

export const entryOf = ({ payloads }: ProjectConfig, id: string): PayloadConfig =>
  payloads.find((one): one is PayloadConfig => typeof one === 'object' && one.id === id)!;

const limit = (name: string, limits: LimitsConfig, id = 'orders'): PullRequest => ({
  name,
  edit: (all) => {
    const one = entryOf(all, id);
    one.limits = { ...one.limits, ...limits };
  },
});
const common = (name: string, limits: LimitsConfig): PullRequest => ({
  name,
  edit: (all) => {
    all.limits = { ...all.limits, ...limits };
  },
});
const entry = (name: string, change: Partial<PayloadConfig>, id = 'orders'): PullRequest => ({
  name,
  edit: (all) => {
    Object.assign(entryOf(all, id), change);
  },
});
const without = (id: string): PullRequest => ({
  name: `${id} is no longer checked`,
  edit: (all) => {
    all.payloads = all.payloads.filter((one) => (typeof one === 'string' ? one : one.id) !== id);
  },
});
const whole = (name: string, edit: (config: ProjectConfig) => void): PullRequest => ({ name, edit });
const file = (name: string, files: PullRequest['files']): PullRequest => ({ name, files: files! });

const module = (name: string, expression: string): PullRequest =>
  file(name, { 'made.mjs': `export const make = () => ${expression};\n` });
const timed = (name: string, times: FakeTimes): PullRequest => ({
  ...file(name, { 'data/timed.json': FILES['data/timed.json']!.replaceAll('name', 'nome') }),
  times,
  // It would be slower too.
  main: withoutRead,
});
const now = (roundTrip: number) => ({ of: { now: { roundTrip } } });

/** The config in another folder, with the same payloads. */
function nearer(edit: (text: string) => string): string {
  const all = config();
  withoutRead(all);
  const text = JSON.stringify(all)
    .replaceAll('"data/', '"../../data/')
    .replace('"made.mjs"', '"../../made.mjs"');
  return edit(text);
}

/** It would read in another folder. */
function withoutRead(all: ProjectConfig): void {
  all.payloads = all.payloads.filter((one) => typeof one === 'string' || one.id !== 'read');
}

/** Each makes the gate weaker, or a payload dearer. */
export const WEAKER: readonly PullRequest[] = [
  limit('maxBytes is raised', { maxBytes: '6.4 kB' }),
  limit('maxBytes is raised by a byte', { maxBytes: '2001 B' }),
  limit('maxBytes is off', { maxBytes: 'off' }),
  limit('maxBytes only warns', { maxBytes: ['warn', '2 kB'] }),
  limit('maxBytes is relative now', { maxBytes: '+10%' }),
  limit('maxNodes is raised', { maxNodes: 331 }),
  limit('maxNodes is off', { maxNodes: 'off' }),
  limit('maxDepth is raised', { maxDepth: 9 }),
  limit('maxDepth is off', { maxDepth: 'off' }),
  limit('class is off', { class: 'off' }),
  limit('class allows what is refused', { class: 'rejected' }),
  limit('lossy warns', { lossy: 'warn' }),
  limit('rejected is off', { rejected: 'off' }),
  limit('maxAmplification of one payload is raised', { maxAmplification: 50 }),
  limit('a relative limit becomes a generous absolute one', { maxBytes: '64 kB' }, 'files'),
  common('maxBytes of all is off', { maxBytes: 'off' }),
  common('maxBytes of all grows', { maxBytes: '+900%' }),
  common('maxNodes of all is off', { maxNodes: 'off' }),
  common('maxDepth of all grows', { maxDepth: '+100%' }),
  common('maxDepth of all warns', { maxDepth: ['warn', '+0%'] }),
  common('class of all is off', { class: 'off' }),
  common('rejected warns', { rejected: 'warn' }),
  common('transfer is off', { transfer: 'off' }),
  common('a warning is off', { lossy: 'off' }),
  common('maxAmplification is raised', { maxAmplification: 3 }),
  entry('the id points at another file', { input: 'data/small.json' }),
  entry('the id points at a glob', { input: 'data/small*.json' }),
  entry('it is read as text', { as: 'text' }),
  entry('it is read as bytes', { as: 'bytes' }),
  entry('another kind of line', { export: 'user' }, 'log'),
  entry('the envelope is gone', { via: null }, 'tile'),
  entry('another envelope', { via: 'piscina' }, 'tile'),
  entry('the rewrite is gone', { remedies: [] }, 'tile'),
  entry('the buffers are said to be moved', { transfer: ['$.pixels'] }),
  entry('one runtime of one payload is gone', { runtimes: ['node'] }),
  entry('one channel of one payload is gone', { channels: ['worker'] }),
  entry('the sender is another one', { sender: 'worker' }),
  entry('the id is another one', { id: 'orders2' }),
  entry('the glob matches less', { input: 'data/files/a*.json' }, 'files'),
  without('orders'),
  without('data/rows.json'),
  without('files'),
  without('log'),
  without('tile'),
  whole('a runtime is gone', (all) => all.runtimes.pop()),
  whole('a runtime is another version', (all) => {
    all.runtimes = ['node', 'bun@1.4'];
  }),
  whole('a channel is gone', (all) => all.channels.pop()),
  whole('new payloads may go', (all) => {
    all.new = 'ok';
  }),
  whole('undecided limits pass', (all) => {
    all.undecided = 'warn';
  }),
  {
    name: 'it accepts something, as configs of earlier versions did',
    edit: (all) => {
      all.accept = ['0123456789ab'];
    },
    exit: 2,
  },
  {
    name: 'the config is renamed and weaker',
    files: { [CONFIG]: null, 'clone-prof.config.mjs': 'export default { payloads: ["data/small.json"] };\n' },
  },
  {
    name: 'the config moves into package.json and is weaker',
    files: {
      [CONFIG]: null,
      'package.json': JSON.stringify({ 'clone-prof': { payloads: ['data/small.json'] } }),
    },
  },
  file('a payload grows', { 'data/rows.json': rowsText(9) }),
  file('a payload has more values in as many bytes', {
    'data/rows.json': JSON.stringify(Array.from({ length: 100 }, () => 1)),
  }),
  file('a payload is deeper', { 'data/rows.json': `[{"a":{"b":{"c":{"d":1}}}}]` }),
  { ...file('a payload is gone', { 'data/rows.json': null }), exit: 2 },
  file('a file of a glob is gone', { 'data/files/b.json': null }),
  file('a file of a glob grows', { 'data/files/b.json': rowsText(40) }),
  { ...file('a payload cannot be read', { 'data/orders.json': '[' }), exit: 3 },
  file('a kind of line is gone', { 'data/log.ndjson': '{"type":"user","id":2,"name":"Ada"}\n' }),
  file('another file of a glob grows', { 'data/files/a.json': rowsText(6) }),
  {
    name: 'orders is renamed and grows',
    edit: (all) => {
      entryOf(all, 'orders').input = 'data/orders2.json';
    },
    files: { 'data/orders.json': null, 'data/orders2.json': rowsText(11) },
  },
  timed('as many bytes are slower', now(130_000)),
  { ...timed('slower, and nobody can tell', { ...now(112_000), jitter: 0.9 }), exit: 3 },
  {
    ...timed('slower, and hardly anything was measured', { ...now(112_000), jitter: 0.9, rounds: 1 }),
    exit: 3,
  },
  module('a module makes more', 'rows(9)'),
  module('a module makes less where CI is', 'process.env.CI ? rows(3) : rows(300)'),
  module('a module makes less for a developer', 'process.env.CI ? rows(300) : rows(3)'),
  module('a module makes less at first', 'calls++ < 1 ? rows(3) : rows(300)'),
  module('a module makes less five times', 'calls++ < 5 ? rows(3) : rows(300)'),
  {
    ...file('a file that a module reads by the working folder', { 'data/read.json': rowsText(60) }),
    exit: 3,
  },
  {
    name: 'less is checked than the strict preset does',
    main: (all) => {
      all.extends = 'strict';
    },
    edit: (all) => {
      all.extends = 'recommended';
    },
  },
  {
    name: 'a nearer config means another rewrite by the same name',
    folder: 'packages/app',
    main: withoutRead,
    files: {
      [`packages/app/${CONFIG}`]: nearer((text) => text),
      'packages/app/tile.mjs': FILES['tile.mjs']!,
    },
  },
  {
    name: 'more values in as many bytes, with the limits of the preset alone',
    main: (all) => {
      all.limits = {};
    },
    files: { 'data/rows.json': JSON.stringify(Array.from({ length: 100 }, () => 1)) },
  },
];

/** None weakens anything. */
export const HARMLESS: readonly PullRequest[] = [
  { name: 'nothing' },
  { name: 'the config is reformatted', text: (all) => JSON.stringify(all, null, 4) },
  {
    name: 'keys of the config are in another order',
    text: (all) => JSON.stringify(Object.fromEntries(Object.entries(all).reverse())),
  },
  {
    name: 'the config is JavaScript now',
    text: () => '',
    files: {
      [CONFIG]: null,
      'clone-prof.config.mjs': `// The same.\nexport default ${JSON.stringify(config(), null, 2)};\n`,
    },
  },
  {
    name: 'the config is in package.json now',
    text: () => '',
    files: { [CONFIG]: null, 'package.json': JSON.stringify({ name: 'x', 'clone-prof': config() }) },
  },
  file('a README', { 'README.md': '# x\n' }),
  file('a payload is reformatted', {
    'data/rows.json': JSON.stringify(JSON.parse(FILES['data/rows.json']!), null, 2),
  }),
  file('a payload is smaller', { 'data/rows.json': rowsText(4) }),
  file('a payload has other values of the same size', {
    'data/rows.json': FILES['data/rows.json']!.replaceAll('name', 'nome'),
  }),
  file('a new file of a glob', { 'data/files/c.json': rowsText(8) }),
  file('a new kind of line', { 'data/log.ndjson': `${FILES['data/log.ndjson']}{"type":"x","a":1}\n` }),
  module('a comment in a module', 'rows(3) /* as before */'),
  module('a module makes a bit less', 'rows(2)'),
  timed('as fast as before', now(100_000)),
  timed('faster', now(50_000)),
  file('a comment in a rewrite', { 'tile.mjs': `// A tile.\n${FILES['tile.mjs']}` }),
  {
    ...whole('a new payload', (all) => all.payloads.push('data/new.json')),
    files: { 'data/new.json': '[1,2]' },
  },
  {
    ...whole('two new payloads, one of a file that was there', (all) =>
      all.payloads.push({ id: 'one', input: 'data/new.json' }, { id: 'two', input: 'data/rows.json' }),
    ),
    files: { 'data/new.json': '[1,2]' },
  },
  whole('payloads are in another order', (all) => all.payloads.reverse()),
  whole('runtimes are in another order', (all) => all.runtimes.reverse()),
  whole('channels are in another order', (all) => all.channels.reverse()),
  whole('one more runtime', (all) => all.runtimes.push('deno@2.9.6')),
  whole('one more channel', (all) => all.channels.push('broadcast')),
  whole('a rewrite for all', (all) => {
    all.remedies = ['./tile.mjs'];
  }),
  whole('common limits stand at each payload', (all) => {
    all.payloads = all.payloads.map((one) => {
      const own = typeof one === 'string' ? { input: one } : one;
      return { ...own, limits: { ...all.limits, ...own.limits } };
    });
  }),
  whole('one more entry of a file, on one channel', (all) => {
    const one = entryOf(all, 'log');
    all.payloads.push({ ...one, id: 'log2', channels: ['worker'] });
  }),
  limit('maxBytes is lower', { maxBytes: '1900 B' }),
  limit('maxBytes is written otherwise', { maxBytes: '2000 B' }),
  limit('maxNodes is lower', { maxNodes: 90 }),
  common('maxDepth says +0 % at every payload', { maxDepth: ['error', '+0%'] }),
  common('losses are errors', { lossy: 'error' }),
  common('maxBytes of all is lower', { maxBytes: '+5%' }),
  common('maxAmplification is lower', { maxAmplification: 1.5 }),
  whole('the preset is written', (all) => {
    all.limits = { ...all.limits, maxBytes: '+10%', class: 'baseline' };
  }),
  {
    name: 'a nearer config with the same files',
    folder: 'packages/app',
    main: withoutRead,
    files: {
      [`packages/app/${CONFIG}`]: nearer((text) => text.replace('"./tile.mjs"', '"../../tile.mjs"')),
    },
  },
  {
    name: 'a file moves, unchanged',
    edit: (all) => {
      entryOf(all, 'orders').input = 'samples/orders.json';
    },
    files: { 'data/orders.json': null, 'samples/orders.json': FILES['data/orders.json']! },
  },
];
