/** Pull requests against one project: what its config demands, and what each changes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LimitsConfig, PayloadConfig } from '../../../src/model/documents/config.ts';
import type { FakePlace, FakeScript, FakeTimes } from '../../support/fake-runtime.ts';

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
    { id: 'log', input: 'data/log.ndjson', runtimes: ['node'], channels: ['worker'] },
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
  'thrown.mjs': 'throw new Error("not here");\n',
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
  ...{ made, 'made#make': made, 'made#more': made, read: made, 'read#make': made },
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
  /** It names a payload that a baseline of facts cannot have: its time has a limit, or main cannot load it. */
  isTimed?: true;
  /** Checked as the merge commit that CI services make. */
  merge?: true;
  /** Of main, where it is not `config()`. */
  main?: (config: ProjectConfig) => void;
  /** Of a weaker one, where it is not 1: 2 for what is not there, 3 for what cannot be decided or measured. */
  exit?: 2 | 3;
  /** It passes, as what main demands holds: the setting of the config that is told to have changed. */
  told?: string;
  /** The config's text, where it is not the edited one as JSON. */
  text?: (config: ProjectConfig) => string;
}

const entryOf = ({ payloads }: ProjectConfig, id: string): PayloadConfig =>
  payloads.find((one): one is PayloadConfig => typeof one === 'object' && one.id === id)!;

const limit = (name: string, limits: LimitsConfig, id = 'orders'): PullRequest => ({
  name,
  told: Object.keys(limits)[0]!,
  ...(id === 'timed' && { isTimed: true }),
  edit: (all) => {
    const one = entryOf(all, id);
    one.limits = { ...one.limits, ...limits };
  },
});
const common = (name: string, limits: LimitsConfig): PullRequest => ({
  name,
  told: Object.keys(limits)[0]!,
  edit: (all) => {
    all.limits = { ...all.limits, ...limits };
  },
});
/** Settings whose former values are missed. */
const GONE = ['runtimes', 'channels', 'id'];

const entry = (name: string, change: Partial<PayloadConfig>, id = 'orders'): PullRequest => ({
  name,
  ...(!GONE.includes(Object.keys(change)[0]!) && { told: Object.keys(change)[0]! }),
  edit: (all) => {
    Object.assign(entryOf(all, id), change);
  },
});
const without = (name: string, id: string): PullRequest => ({
  name,
  edit: (all) => {
    all.payloads = all.payloads.filter((one) => (typeof one === 'string' ? one : one.id) !== id);
  },
});
const whole = (name: string, edit: (config: ProjectConfig) => void): PullRequest => ({ name, edit });
/** Sets these keys of the config. */
const set = (name: string, change: Partial<ProjectConfig>): PullRequest =>
  whole(name, (all) => void Object.assign(all, structuredClone(change)));
const told = (name: string, what: string, edit: (config: ProjectConfig) => void): PullRequest => ({
  ...whole(name, edit),
  told: what,
});
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

/** Two entries of one file have one name. */
function withAnotherExport(all: ProjectConfig): void {
  all.payloads.push({ input: 'made.mjs', export: 'more', runtimes: ['node'], channels: ['worker'] });
}

/** Their first argument is the name of the pull request, which a document leaves out. */
const CHANGES: Record<string, (name: string, ...more: never[]) => PullRequest> = {
  ...{ limit, common, entry, without, whole, set, told, file, module, timed },
};
const KNOWN = {
  CONFIG,
  FILES,
  ONLY_TIME,
  config,
  entryOf,
  nearer,
  now,
  rowsText,
  withAnotherExport,
  withoutRead,
};

function changeOf(name: string, code: string): PullRequest {
  const changes = Object.entries(CHANGES).map(([key, make]) => [
    key,
    (...more: never[]) => make(name, ...more),
  ]);
  const known = { ...KNOWN, ...Object.fromEntries(changes) };
  return { ...new Function(...Object.keys(known), `return (${code});`)(...Object.values(known)), name };
}

/**
 * Those of a document beside this file: rows of its table, and sections.
 * @throws Error for a row or a section that is written otherwise: it would not be checked
 */
export function pullRequestsIn(document: string): PullRequest[] {
  const text = readFileSync(new URL(`./${document}`, import.meta.url), 'utf8');
  const rows = [
    ...text.matchAll(/^\| (.+?) +\| `(.+)` \|$/gm),
    ...text.matchAll(/^## ([^\n]+)\n\n```js\n(.*?)^```$/gms),
  ];
  const [, , ...written] = text.match(/^(?:\||## ).*/gm) ?? [];
  const other = written.find((line) => !rows.some(([row]) => row.split('\n')[0] === line));
  if (other !== undefined || rows.length === 0) throw new Error(`${document}: not read: ${other}`);
  return rows.map(([, name = '', code = '']) => changeOf(name, code));
}

/** More in each payload. */
export const GROWING: PullRequest = file('each payload grows', {
  ...Object.fromEntries(
    ['orders', 'rows', 'files/a', 'files/b', 'tile'].map((name) => [`data/${name}.json`, rowsText(60)]),
  ),
  'data/log.ndjson': `{"type":"order","id":1,"text":"${'x'.repeat(100)}"}\n{"type":"user","id":2,"name":"Ada"}\n`,
});
