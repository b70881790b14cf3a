/** Fast values, and single changes that block the fast path, each with the path that its blocker must name. */

import type { EngineName } from '../../src/model/names.ts';
import { type Random, randomBelow, seeded, seedFor } from '../../src/stats/intervals/random.ts';
import { type Entry, ONE, type Program, type Step } from './program.ts';

type ObjectProgram = Extract<Program, { op: 'object' }>;
type ArrayProgram = Extract<Program, { op: 'array' }>;
type Fast = ObjectProgram | ArrayProgram;

export interface Mutant {
  /** Name of the change. */
  change: string;
  before: Program;
  after: Program;
  /** Concrete path that a blocker of the changed value must name. */
  path: string;
}

interface Change {
  name: string;
  /** The root to change: a flat object, or an array of flat objects. */
  on: 'object' | 'array';
  engines: readonly EngineName[];
  /** Blocks only in versions of Bun before this one. */
  until?: string;
  make: (fast: Fast) => { after: Program; path: string };
}

const BOTH: readonly EngineName[] = ['jsc', 'v8'];
const JSC: readonly EngineName[] = ['jsc'];

const at0 = (name: string, value?: Program): Step => ({ do: name, at: 0, ...(value && { value }) });
const stepped = (name: string, value?: Program) => (fast: Fast) => ({
  after: { ...fast, steps: [...fast.steps, at0(name, value)] },
  path: '$',
});

/** One more key, whose value is the change. */
const added = (value: Program) => (fast: Fast) => ({
  after: {
    ...(fast as ObjectProgram),
    entries: [...(fast as ObjectProgram).entries, ['added', value] as const],
  },
  path: '$.added',
});

/** One more element, which is the change; `within`: where inside it. */
const element =
  (value: Program, within = '') =>
  (fast: Fast) => {
    const { items } = fast as ArrayProgram;
    return {
      after: { ...(fast as ArrayProgram), items: [...items, value] },
      path: `$[${items.length}]${within}`,
    };
  };

const builtin = (code: string): Program => ({ op: 'builtin', code });
const plain = (entries: Entry[], ...steps: Step[]): ObjectProgram => ({
  ...{ op: 'object', origin: 'literal', entries, bulk: 0, steps },
});
const AB: Entry[] = ['a', 'b'].map((key) => [key, ONE]);
const list = (items: Program[], ...steps: Step[]): Program => ({
  ...{ op: 'array', origin: 'literal', items, bulk: null, steps },
});
const HOLEY = list([ONE, ONE, ONE], at0('delete element'));
const FUNCTION: Program = { op: 'scalar', code: '(() => 1)' };

const onObject = (engines: readonly EngineName[], made: Record<string, Change['make']>): Change[] =>
  Object.entries(made).map(([name, make]) => ({ name, on: 'object', engines, make }));
const onArray = (engines: readonly EngineName[], made: Record<string, Change['make']>): Change[] =>
  Object.entries(made).map(([name, make]) => ({ name, on: 'array', engines, make }));

const CHANGES: readonly Change[] = [
  ...onObject(BOTH, {
    'a getter': stepped('getter'),
    'a setter': stepped('setter only'),
    'an index key': stepped('index key'),
    'a function': added(FUNCTION),
    'a symbol value': added({ op: 'scalar', code: 'Symbol("s")' }),
    'a Proxy': added(builtin('new Proxy({}, {})')),
    'an array with a hole': added(HOLEY),
  }),
  ...onObject(JSC, {
    'a nested object': added(plain([])),
    'a nested array': added(list([])),
    'a BigInt': added({ op: 'scalar', code: '1n' }),
    'a Date': added(builtin('new Date(0)')),
    'a boxed string': added(builtin('new String("s")')),
    'a hidden getter': stepped('hidden getter'),
    'a hidden property': stepped('non-enumerable'),
    'a fixed property': stepped('non-configurable'),
    'a symbol key': stepped('symbol key'),
    freeze: stepped('freeze'),
    seal: stepped('seal'),
    'a deleted key': stepped('delete first'),
    'a key deleted and added again': stepped('delete and add again'),
    'a #field': stepped('stamped #field'),
    'a #method': stepped('stamped #method'),
    'an index key, deleted': stepped('index, deleted'),
  }),
  { ...onObject(JSC, { preventExtensions: stepped('preventExtensions') })[0]!, until: '1.4.0' },
  ...onArray(BOTH, {
    'a hole': stepped('delete element'),
    'a raised length': stepped('raise length'),
    freeze: stepped('freeze'),
    seal: stepped('seal'),
    preventExtensions: stepped('preventExtensions'),
    'a read-only element': stepped('read-only element'),
    'a getter element': stepped('getter element'),
    'a gap': stepped('store far behind'),
    'an array with a hole': element(HOLEY),
    'a function in a row': element(plain([['run', FUNCTION]]), '.run'),
    'a row with an index key': element(plain([['0', ONE]])),
    'a row with a getter': element(plain([], at0('getter'))),
  }),
  ...onArray(JSC, {
    'the same row twice': (fast) => ({
      after: { ...fast, steps: [...fast.steps, at0('first element again')] },
      path: `$[${(fast as ArrayProgram).items.length}]`,
    }),
    'a named property': stepped('named property'),
    'a named property, deleted': stepped('named property, deleted'),
    'a symbol property': stepped('symbol property'),
    'a prototype with an index': stepped('prototype with index'),
    'an array as prototype': stepped('prototype an empty array'),
    'an array': element(list([])),
    'a Date': element(builtin('new Date(0)')),
    'a BigInt': element({ op: 'scalar', code: '1n' }),
    'a nested row': element(plain([['deep', plain([])]]), '.deep'),
    'a frozen row': element(plain([['a', ONE]], at0('freeze'))),
    'a row with a symbol key': element(plain([], at0('symbol key'))),
    'a row with a deleted key': element(plain(AB, at0('delete first'))),
    'a row with a #field': element({ ...plain([]), origin: 'instance with a #field' }),
  }),
];

const VALUES = ['0', '1.5', '-0', 'NaN', 'true', 'null', 'undefined', '2 ** 31', '"text"'];
const KEYS = ['a', 'b', 'id', 'name', 'x y', 'é'];

function flat(random: Random): Entry[] {
  const keys = KEYS.slice(0, 1 + randomBelow(KEYS.length, random));
  return keys.map((key): Entry => [key, { op: 'scalar', code: VALUES[randomBelow(VALUES.length, random)]! }]);
}

function fastObject(random: Random): ObjectProgram {
  const origins = ['literal', 'spread', 'instance', 'Object.assign', 'defined'];
  const origin = origins[randomBelow(origins.length, random)]!;
  return { op: 'object', origin, entries: flat(random), bulk: 0, steps: [] };
}

function fastArray(random: Random): ArrayProgram {
  const origins = ['literal', 'pushed', 'Array.of', 'sliced'];
  const items = Array.from({ length: 2 + randomBelow(3, random) }, () => plain(flat(random)));
  return { op: 'array', origin: origins[randomBelow(origins.length, random)]!, items, bulk: null, steps: [] };
}

/** Every change of the table, each on `rounds` fast values. */
export function mutants(
  seed: number,
  rounds: number,
  engine: EngineName,
  isOlder: (version: string) => boolean,
): Mutant[] {
  const changes = CHANGES.filter(
    ({ engines, until }) => engines.includes(engine) && (until === undefined || isOlder(until)),
  );
  return Array.from({ length: rounds * changes.length }, (_, i) => {
    const change = changes[i % changes.length]!;
    const random = seeded(seedFor(seed, i));
    const before = change.on === 'object' ? fastObject(random) : fastArray(random);
    return { change: `${change.name} on an ${change.on}`, before, ...change.make(before) };
  });
}
