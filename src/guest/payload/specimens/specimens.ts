import { seeded } from '../../../core/stats/random.ts';
import { ToolError } from '../../../model/errors.ts';

/**
 * Payloads of published benchmarks, by size. Strings are built at run time: a literal of the source is an atom in
 * JavaScriptCore, which is copied where the published strings were shared.
 */

/** A flat string with its own characters, like the result of `Buffer.toString`; `bench/postMessage/postMessage-string.mjs` of Bun. */
function text(size: number): string {
  const phrase = size < 14 ? 'Hello world' : 'Hello World!!!';
  const joined = phrase.repeat(Math.ceil(size / phrase.length)).slice(0, size);
  return new TextDecoder().decode(new TextEncoder().encode(joined));
}

/** `bench/postMessage/postMessage-object.mjs` of Bun: one string of this size and nine small values. */
const flatObject = (size: number) => ({
  property: text(size),
  a: 'a!',
  b: 'b!',
  second: 'c!',
  bool: true,
  nully: null,
  undef: undefined,
  int: 0,
  double: 1.234,
  falsy: false,
});

const list = <T>(size: number, item: (at: number) => T): T[] =>
  Array.from({ length: size }, (_, at) => item(at));

/** Keys and values are numbers in [0, 1), as in the blog's benchmark; the same ones each time. */
function randomKeys(size: number): Record<string, number> {
  const random = seeded(size);
  const object: Record<string, number> = {};
  for (let at = 0; at < size; at++) object[String(random())] = random();
  return object;
}

const SIZED_SPECIMENS = {
  'published-string': text,
  'published-flat-object': flatObject,
  'published-ints': (size: number) => list(size, (at) => at),
  'published-strings': (size: number) => list(size, (at) => `item-${at}`),
  'published-mixed': (size: number) => list(size, (at) => [at, `item-${at}`, at % 2 === 0, at / 2][at % 4]),
  'published-objects': (size: number) =>
    list(size, (at) => ({ id: at, name: `item-${at}`, active: at % 2 === 0 })),
  'random-keys': randomKeys,
} as const satisfies Record<string, (size: number) => unknown>;

const rows = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: i, name: `row ${i}`, score: i / 3, active: i % 2 === 0 }));

/** Values of the tool, built by name: for calibration, `verify` and tests. Each call gives a new value. */
export const SPECIMENS = {
  undefined: () => undefined,
  'small-number': () => 7,
  'short-string': () => 'hello',
  'long-string': () => 'payload '.repeat(4096),
  'two-byte-string': () => 'данные '.repeat(4096),
  'flat-object': () => ({ id: 1, name: 'one', active: true, score: 0.5 }),
  'nested-object': () => ({ id: 1, geo: { lat: 52.5, lon: 13.4 }, tags: ['a', 'b'] }),
  int32s: () => Array.from({ length: 1024 }, (_, i) => i),
  doubles: () => Array.from({ length: 1024 }, (_, i) => i + 0.5),
  holey: () => {
    const sparse: number[] = [];
    sparse[0] = 1;
    sparse[9] = 2;
    return sparse;
  },
  rows: () => rows(256),
  bytes: () => new Uint8Array(65536).fill(7),
  map: () => new Map(rows(16).map((row) => [row.name, row])),
} as const satisfies Record<string, () => unknown>;

/** A new value. @throws ToolError 'internal' for an unknown name, with or without a size */
export function makeSpecimen(name: string, size?: number): unknown {
  const all: Record<string, (size: number) => unknown> = size === undefined ? SPECIMENS : SIZED_SPECIMENS;
  const build = Object.hasOwn(all, name) ? all[name] : undefined;
  if (build) return build(size ?? 0);
  throw new ToolError('internal', { detail: `no specimen '${name}'` });
}
