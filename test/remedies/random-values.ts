import { type Random, randomBelow } from '../../src/core/stats/random.ts';

/** Random payloads of the kinds that remedies rewrite, as functions: two calls give two equal values. */
type Make = () => unknown;

const KEYS = ['id', 'name', 'a b', '"', 'toString', 'constructor', '0', '', 'rest', 'kind', 'path', '\u2028'];
const SCALARS: readonly Make[] = [
  () => 0,
  () => 7,
  () => -0,
  () => 1.5,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => true,
  () => null,
  () => undefined,
  () => '',
  () => 'text',
  () => 'ü\u4e00'.repeat(40),
  () => '\ud800',
  () => 'long '.repeat(80),
];
const RICH: readonly Make[] = [
  () => new Date(5),
  () => new Date(Number.NaN),
  () => /a\/b/gi,
  () => 12n,
  () => Object(3),
  () => new Uint8Array([1, 2, 3]),
  () => new Uint8Array(new ArrayBuffer(16), 4, 4),
  () => new Float64Array([1, -0]).buffer,
];

const pick = <T>(list: readonly T[], random: Random): T => list[randomBelow(list.length, random)]!;

function record(fields: readonly [string, Make][]): Make {
  return () => {
    const value: Record<string, unknown> = {};
    for (const [key, make] of fields)
      Object.defineProperty(value, key, {
        value: make(),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return value;
  };
}

function fieldsOf(depth: number, random: Random): [string, Make][] {
  const keys = new Set(Array.from({ length: randomBelow(5, random) }, () => pick(KEYS, random)));
  if (randomBelow(25, random) === 0) keys.add('__proto__');
  return [...keys].map((key) => [key, randomValue(depth - 1, random)]);
}

/** Rows of the same keys and kinds, sometimes with one that differs. */
function rows(depth: number, random: Random): Make {
  const fields = fieldsOf(depth, random);
  const odd = randomBelow(4, random) === 0 ? randomValue(depth - 1, random) : null;
  const count = 8 + randomBelow(6, random);
  return () => {
    const list: unknown[] = Array.from({ length: count }, () => record(fields)());
    if (odd !== null) list.push(odd());
    return list;
  };
}

function locked(make: Make): Make {
  return () => Object.freeze(make());
}

export function randomValue(depth: number, random: Random): Make {
  if (depth <= 0) return randomBelow(5, random) === 0 ? pick(RICH, random) : pick(SCALARS, random);
  const inner = () => randomValue(depth - 1, random);
  const items = Array.from({ length: randomBelow(5, random) }, inner);
  switch (randomBelow(11, random)) {
    case 0:
      return () => new Map(items.map((make, i) => [i % 2 === 0 ? `k${i}` : make(), make()]));
    case 1:
      return () => new Set(items.map((make) => make()));
    case 2:
      return rows(depth, random);
    case 3:
      return locked(() => items.map((make) => make()));
    case 4:
      return locked(record(fieldsOf(depth, random)));
    case 5:
      return shared(depth, random);
    case 6:
      return () => Array.from({ length: 70 }, (_, i) => i * (items.length % 2 === 0 ? 1 : 0.5));
    case 7:
      return longList(random);
    default:
      return record(fieldsOf(depth, random));
  }
}

/** Dates, BigInts or strings, sometimes with an element of another kind. */
function longList(random: Random): Make {
  const make = pick<(i: number) => unknown>(
    [
      (i) => new Date(i % 7 === 0 ? Number.NaN : i * 1e9),
      (i) => BigInt(i) - 50n,
      (i) => 2n ** 63n + BigInt(i),
      (i) => `\ud800${i}`.repeat(i % 3),
    ],
    random,
  );
  const odd = randomBelow(4, random) === 0 ? pick(RICH, random) : null;
  return () => Array.from({ length: 120 }, (_, i) => (odd !== null && i === 60 ? odd() : make(i)));
}

function shared(depth: number, random: Random): Make {
  const one = randomValue(depth - 1, random);
  const isCyclic = randomBelow(3, random) === 0;
  return () => {
    const value = one();
    const container: Record<string, unknown> = { first: value, list: [value, 1], second: value };
    if (isCyclic) container.self = container;
    return container;
  };
}

const REGULAR: readonly Make[] = [
  () => 7,
  () => 1.5,
  () => 'text',
  () => 'long '.repeat(80),
  () => null,
  () => true,
];

function regularInner(depth: number, random: Random): Make {
  if (depth <= 0 || randomBelow(3, random) === 0) return pick(REGULAR, random);
  if (randomBelow(4, random) === 0) return () => [1, 2, 3];
  return regularRecord(depth, random);
}

function regularRecord(depth: number, random: Random): Make {
  const keys = new Set(Array.from({ length: 1 + randomBelow(4, random) }, () => pick(KEYS, random)));
  return record([...keys].map((key) => [key, regularInner(depth - 1, random)]));
}

/** Typical payloads: records in records, tables of them, only JSON values. */
export function regularValue(random: Random): Make {
  const one = regularRecord(3, random);
  if (randomBelow(2, random) === 0) return one;
  return () => Array.from({ length: 10 }, () => one());
}
