/** Seeded programs of values with everything that a clone can lose, at several depths and repeated. */
import { type Random, randomBelow, seeded, seedFor } from '../../src/stats/intervals/random.ts';
import { nameIn, pick, repeated } from './generate.ts';
import { CHANGES, LOSSY_VALUES } from './lossy-tables.ts';
import type { Entry, Program, Step } from './program.ts';
import { ARRAY_STEPS, ARRAYS, OBJECT_STEPS, OBJECTS } from './structures.ts';

const DEEPEST = 4;
const KEYS = ['a', 'b', 'c', 'x y', '0', 'constructor'];
const SCALARS = ['1', '-0', 'NaN', 'null', 'undefined', '"text"', 'true', '1n', '0.5'];

/** Value number `index` of the sequence of `seed`. */
export function lossyProgramAt(seed: number, index: number): Program {
  return value(0, seeded(seedFor(seed, index)));
}

function value(depth: number, random: Random): Program {
  const at = random();
  if (at < (depth === 0 ? 0.02 : 0.2) || depth > DEEPEST)
    return { op: 'scalar', code: pick(SCALARS, random) };
  if (at < 0.4) return { op: 'builtin', code: pick(LOSSY_VALUES, random) };
  if (at < 0.46) return { op: 'again', which: randomBelow(8, random) };
  if (at < 0.7) {
    const parts = repeated(1 + randomBelow(2, random), () => value(depth + 1, random));
    return { op: 'container', kind: nameIn(CHANGES, random), parts };
  }
  return at < 0.86 ? object(depth, random) : array(depth, random);
}

function object(depth: number, random: Random): Program {
  const entries = repeated(
    randomBelow(4, random),
    (): Entry => [pick(KEYS, random), value(depth + 1, random)],
  );
  return {
    op: 'object',
    origin: random() < 0.5 ? 'literal' : nameIn(OBJECTS, random),
    entries: [...new Map(entries)],
    bulk: 0,
    steps: steps(OBJECT_STEPS, depth, random),
  };
}

function array(depth: number, random: Random): Program {
  return {
    op: 'array',
    origin: random() < 0.5 ? 'literal' : nameIn(ARRAYS, random),
    items: repeated(randomBelow(4, random), () => value(depth + 1, random)),
    bulk: null,
    steps: steps(ARRAY_STEPS, depth, random),
  };
}

function steps(table: Readonly<Record<string, unknown>>, depth: number, random: Random): Step[] {
  const count = random() < 0.5 ? 0 : 1 + randomBelow(2, random);
  return repeated(count, (): Step => {
    const step = { do: nameIn(table, random), at: randomBelow(9, random) };
    return random() < 0.5 ? step : { ...step, value: value(depth + 1, random) };
  });
}
