import { seeded } from '../../../core/stats/random.ts';

/**
 * Payloads of published benchmarks, by size. Strings are built at run time: a literal of the source is an atom in
 * JavaScriptCore, which is copied where the published strings were shared.
 */

/** A flat string with its own characters, like the result of `Buffer.toString`; `bench/postMessage/postMessage-string.mjs` of Bun. */
function repeated(phrase: string, size: number): string {
  return new TextDecoder().decode(
    new TextEncoder().encode(phrase.repeat(Math.ceil(size / phrase.length)).slice(0, size)),
  );
}

const text = (size: number) => repeated(size < 14 ? 'Hello world' : 'Hello World!!!', size);

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

export const SIZED_SPECIMENS = {
  'published-string': text,
  'published-flat-object': flatObject,
  'published-ints': (size: number) => list(size, (at) => at),
  'published-strings': (size: number) => list(size, (at) => `item-${at}`),
  'published-mixed': (size: number) => list(size, (at) => [at, `item-${at}`, at % 2 === 0, at / 2][at % 4]),
  'published-objects': (size: number) =>
    list(size, (at) => ({ id: at, name: `item-${at}`, active: at % 2 === 0 })),
  'random-keys': randomKeys,
} as const satisfies Record<string, (size: number) => unknown>;
