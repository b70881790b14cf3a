/** Strings of known origin in a real Firefox, and what the oracle of its pages says of each. */

import type { Channel, PathName } from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { randomBelow, seeded } from '../../src/stats/intervals/random.ts';
import { PayloadFolder } from '../support/payload-folder.ts';

interface Origin {
  /** Makes a text of `n` units. `u(n)` is one that was just joined, `flat` has put it into one piece. */
  code: string;
  /** Has a buffer of its own, seen on Firefox 153 by times a hundred times apart. */
  shared: boolean;
}

const ORIGINS: Readonly<Record<string, Origin>> = {
  'own text': { code: 'flat(u(n))', shared: true },
  'not joined before it is sent': { code: 'u(n - 9) + u(9)', shared: true },
  'flattened rope': {
    code: '((part) => flat(part + part + part + part + u(n - 4 * (n >> 2))))(u(n >> 2))',
    shared: true,
  },
  concat: { code: 'u(n - 12).concat(u(12))', shared: true },
  'Array.join': { code: '[u(n >> 1), u(n - (n >> 1) - 1)].join("\\n")', shared: true },
  padEnd: { code: 'u(9).padEnd(n, u(64))', shared: true },
  TextDecoder: { code: 'new TextDecoder().decode(new TextEncoder().encode(u(n)))', shared: true },
  'parsed JSON': { code: 'JSON.parse(JSON.stringify(u(n)))', shared: true },
  'field of parsed JSON': { code: 'JSON.parse(JSON.stringify({ id: 1, text: u(n) })).text', shared: true },
  slice: { code: 'flat(u(n + 40)).slice(20, n + 20)', shared: false },
  substring: { code: 'flat(u(n + 40)).substring(40)', shared: false },
  split: { code: 'flat(u(n) + "\\n" + u(n)).split("\\n")[0]', shared: false },
  match: { code: '/\\[([^\\]]+)/.exec(flat("[" + u(n) + "]"))[1]', shared: false },
  'slice of parsed JSON': { code: 'JSON.parse(JSON.stringify(u(n + 9))).slice(9)', shared: false },
  'Latin-1 slice of UTF-16': { code: 'flat("\\u2192" + "x".repeat(n)).slice(1)', shared: false },
};

const MODULE_START = `
const flat = (text) => { structuredClone(text); return text; };
const texts = (word) => (n) => flat(word.repeat(Math.ceil(n / word.length) + 1)).slice(0, n >> 1) + word.repeat(n).slice(0, n - (n >> 1));
`;
const WIDTHS = { 'one-byte': 'a text of Latin-1 (é), ', 'two-byte': 'текст в UTF-16, ' } as const;
/** In code units. */
const SIZES = { '2 kB': 2100, '16 kB': 16_384, '64 kB': 65_536, '1 MB': 1_048_576 } as const;
/** Where the string is, as code and as path. */
const PLACES = [
  ['text', '$'],
  ['{ id: 7, text }', '$.text'],
  ['[[1, 2], { text }]', '$[1].text'],
] as const;

export interface KnownString {
  origin: string;
  width: string;
  size: string;
  units: number;
  place: number;
}

export interface StringAnswer extends KnownString {
  expected: PathName;
  /** null: time did not tell. */
  told: PathName | null;
}

/** Every origin with every width and size, in turns; lengths and places are random. */
export function knownStrings(seed: number, count: number): KnownString[] {
  const random = seeded(seed);
  const all = Object.keys(ORIGINS).flatMap((origin) =>
    Object.keys(WIDTHS).flatMap((width) => Object.keys(SIZES).map((size) => ({ origin, width, size }))),
  );
  return Array.from({ length: count }, (_, i) => {
    // 37 has no factor in common with the number of them: a few are already of all kinds.
    const one = all[(i * 37) % all.length]!;
    const least = SIZES[one.size as keyof typeof SIZES];
    return {
      ...one,
      units: least + randomBelow(least >> 2, random),
      place: randomBelow(PLACES.length, random),
    };
  });
}

const exportOf = ({ origin, width, units, place }: KnownString, i: number): string => `
export const s${i} = () => {
  const u = texts(${JSON.stringify(WIDTHS[width as keyof typeof WIDTHS])}), n = ${units};
  const text = ${ORIGINS[origin]!.code};
  return ${PLACES[place]![0]};
};`;

/** Asks the oracle of a fresh page about each. */
export async function askedStrings(
  firefox: FoundRuntime,
  strings: readonly KnownString[],
  channel: Channel,
): Promise<StringAnswer[]> {
  const folder = new PayloadFolder();
  const recipe = folder.module('strings.mjs', `${MODULE_START}${strings.map(exportOf).join('')}`);
  const guest = await folder.startGuest(firefox);
  const answers: StringAnswer[] = [];
  try {
    for (const [i, one] of strings.entries()) {
      const build = { ...recipe.build, export: `s${i}` } as typeof recipe.build;
      const asked = { type: 'describe', recipe: { ...recipe, build }, channel, confirm: true } as const;
      const { confirmation } = await guest.ask(asked);
      const [, path] = PLACES[one.place]!;
      const told = confirmation?.examples.find(({ example }) => example === path)?.path ?? null;
      const isShared = channel === 'worker' && ORIGINS[one.origin]!.shared;
      answers.push({ ...one, expected: isShared ? 'string-shared' : 'string-copied', told });
    }
  } finally {
    await guest.close();
    folder.remove();
  }
  return answers;
}
