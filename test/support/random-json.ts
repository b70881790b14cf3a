/** Random JSON values, the same for the same sequence. */
import { type Random, randomBelow } from '../../src/stats/intervals/random.ts';

const TEXTS = [
  '',
  'a',
  'caf\u00e9',
  '\u263a',
  '\ud800',
  'x'.repeat(130),
  '\u263a'.repeat(300),
  'y'.repeat(600),
];
const NUMBERS = [0, 1, -1, 2 ** 30, -(2 ** 31), 2 ** 31, 1.5, -0.25, 1e300];
const KEYS = ['id', 'name', '__proto__', '0', '12', 'toJSON', 'odd key', 'caf\u00e9', 'x'.repeat(300)];

function pick<T>(list: readonly T[], random: Random): T {
  return list[randomBelow(list.length, random)] as T;
}

function scalar(random: Random): unknown {
  return pick([pick(TEXTS, random), pick(NUMBERS, random), true, false, null], random);
}

/** At most `depth` levels of containers. */
export function jsonValue(random: Random, depth: number): unknown {
  if (depth === 0 || random() < 0.3) return scalar(random);
  const length = randomBelow(6, random);
  if (random() < 0.25) return Array.from({ length }, () => pick(NUMBERS, random));
  if (random() < 0.5) return Array.from({ length }, () => jsonValue(random, depth - 1));
  const entries = Array.from({ length }, () => [pick(KEYS, random), jsonValue(random, depth - 1)] as const);
  return Object.fromEntries(entries);
}
