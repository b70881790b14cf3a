/** Seeded programs of values: mostly small, often one step off a fast path, sometimes large. */
import { type Random, randomBelow, seeded, seedFor } from '../../src/stats/intervals/random.ts';
import { type Bulk, CONTAINER_KINDS, type Entry, ONE, type Program, type Step } from './program.ts';
import { BUILTINS, LENGTHS, RARE_ROOTS, RARE_SCALARS, SCALARS, TEXTS, UNITS } from './scalars.ts';
import { ARRAY_STEPS, ARRAYS, BULKS, HIDDEN_STATE_STEPS, OBJECT_STEPS, OBJECTS } from './structures.ts';

const DEEPEST = 3;
const KEYS = ['a', 'b', 'c', 'id', 'name', 'x y', '', '0', '17', '-1', 'constructor', 'length', 'é', '€'];
const PLAIN_KEYS = 6;
const BULK_KEYS = [5, 6, 7, 19, 20, 21, 62, 63, 64, 65, 127, 128, 129, 200, 512, 1024, 1030];
const BULK_ITEMS = [1, 2, 3, 5, 16, 60, 127, 128, 129, 200, 300, 1000];
const HUGE = 100_001;

const PLAIN: Entry[] = [
  ['a', { op: 'scalar', code: '1' }],
  ['b', { op: 'scalar', code: '"x"' }],
];
const changedObject = (name: string): Program => ({
  ...{ op: 'object', origin: 'literal', entries: PLAIN, bulk: 0, steps: [{ do: name, at: 1 }] },
});
const changedArray =
  (item: Program) =>
  (name: string): Program => ({
    ...{ op: 'array', origin: 'literal', items: [item, ONE], bulk: null, steps: [{ do: name, at: 1 }] },
  });
const plainObject: Program = { op: 'object', origin: 'literal', entries: PLAIN, bulk: 0, steps: [] };

/** Each row of the tables alone: among random values some are too rare to miss the rule about them. */
export const EACH_ONCE: readonly Program[] = [
  ...[...BUILTINS, ...RARE_ROOTS].map((code): Program => ({ op: 'builtin', code })),
  ...Object.keys({ ...OBJECT_STEPS, ...HIDDEN_STATE_STEPS }).map(changedObject),
  ...Object.keys(ARRAY_STEPS).map(changedArray(ONE)),
  ...['first element again', 'store'].map(changedArray(plainObject)),
  ...Object.keys(TEXTS).map((origin): Program => ({ op: 'text', origin, unit: 'x', units: 300 })),
];

/** Value number `index` of the sequence of `seed`: each row of the tables alone, then random ones. */
export function programAt(seed: number, index: number): Program {
  return EACH_ONCE[index] ?? root(seeded(seedFor(seed, index)));
}

function chance(of: number, random: Random): boolean {
  return random() < of;
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[randomBelow(list.length, random)] as T;
}

export const nameIn = (table: Readonly<Record<string, unknown>>, random: Random) =>
  pick(Object.keys(table), random);

function root(random: Random): Program {
  const at = random();
  if (at < 0.36) return object(0, random);
  if (at < 0.8) return array(0, random);
  if (at < 0.93) return text(random);
  return chance(0.5, random) ? anything(0, random) : scalar(random);
}

function scalar(random: Random): Program {
  return { op: 'scalar', code: pick(chance(0.04, random) ? RARE_SCALARS : SCALARS, random) };
}

function text(random: Random): Program {
  return {
    op: 'text',
    origin: nameIn(TEXTS, random),
    unit: pick(UNITS, random),
    units: pick(LENGTHS, random),
  };
}

function anything(depth: number, random: Random): Program {
  const at = random();
  if (at < 0.3) return { op: 'builtin', code: pick(BUILTINS, random) };
  if (at < 0.45) return { op: 'again', which: randomBelow(8, random) };
  if (at < 0.6) {
    const parts = repeated(randomBelow(3, random), () => value(depth + 1, random));
    return { op: 'container', kind: pick(CONTAINER_KINDS, random), parts };
  }
  return chance(0.6, random) ? object(depth, random) : array(depth, random);
}

/** A value inside another: usually a primitive, because one nested value decides. */
function value(depth: number, random: Random): Program {
  const at = random();
  if (at < 0.62 || depth >= DEEPEST) return scalar(random);
  if (at < 0.86) return text(random);
  return anything(depth, random);
}

export function repeated<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

function object(depth: number, random: Random): Program {
  const rare = chance(0.15, random);
  const count = randomBelow(rare ? 8 : 4, random);
  const keys = rare ? KEYS : KEYS.slice(0, PLAIN_KEYS);
  const entries = repeated(count, (): Entry => [pick(keys, random), value(depth + 1, random)]);
  return {
    op: 'object',
    origin: chance(0.5, random) ? 'literal' : nameIn(OBJECTS, random),
    entries: [...new Map(entries)],
    bulk: chance(0.08, random) ? pick(BULK_KEYS, random) : 0,
    steps: steps(random, (): string =>
      chance(0.3, random) ? nameIn(HIDDEN_STATE_STEPS, random) : nameIn(OBJECT_STEPS, random),
    ).map((step) => withValue(step, depth, random)),
  };
}

function array(depth: number, random: Random): Program {
  return {
    op: 'array',
    origin: chance(0.45, random) ? 'literal' : nameIn(ARRAYS, random),
    items: items(depth, random),
    bulk: chance(0.15, random) ? bulk(depth, random) : null,
    steps: steps(random, () =>
      chance(0.05, random) ? 'first element again' : nameIn(ARRAY_STEPS, random),
    ).map((step) => withValue(step, depth, random)),
  };
}

/** Elements of one kind, as in most arrays, or of any kind. */
function items(depth: number, random: Random): Program[] {
  const count = randomBelow(5, random);
  const at = random();
  if (at < 0.25)
    return repeated(count, (): Program => ({ op: 'scalar', code: pick(['0', '1', '7', '-1'], random) }));
  if (at < 0.4)
    return repeated(
      count,
      (): Program => ({ op: 'scalar', code: pick(['0.5', '-0', '2 ** 31', '1'], random) }),
    );
  if (at < 0.6) return repeated(count, () => object(depth + 1, random));
  return repeated(count, () => value(depth + 1, random));
}

function bulk(depth: number, random: Random): Bulk {
  const count = depth === 0 && chance(0.01, random) ? HUGE : pick(BULK_ITEMS, random);
  return { count, of: count === HUGE ? 'ints' : nameIn(BULKS, random) };
}

function steps(random: Random, name: () => string): Step[] {
  const at = random();
  const count = at < 0.4 ? 0 : at < 0.8 ? 1 : at < 0.93 ? 2 : 3;
  return repeated(count, () => ({ do: name(), at: randomBelow(9, random) }));
}

function withValue(step: Step, depth: number, random: Random): Step {
  return chance(0.5, random) ? step : { ...step, value: value(depth + 1, random) };
}
