import type { Way } from './ways.ts';

/** A helper for each way but those with functions of their own. */
export const HELPER_OF: Record<Exclude<Way, 'record' | 'tuple' | 'ints' | 'numbers'>, string> = {
  boolean: 'Boolean',
  int: 'Int',
  double: 'Double',
  text: 'Text',
  word: 'Word',
  bigint: 'Bigint',
  date: 'Date',
  list: 'List',
  dictionary: 'Dictionary',
  table: 'Table',
  map: 'Map',
  set: 'Set',
  rest: 'Rest',
};

/** One helper writes and reads them. */
export const SCALARS: ReadonlySet<string> = new Set([
  'Boolean',
  'Int',
  'Double',
  'Text',
  'Word',
  'Bigint',
  'Date',
]);

/** `OrderOrNull` */
export const orKnown = (name: string, known: string): string =>
  [
    name,
    ...known
      .split('|')
      .filter((one) => one !== '')
      .map((one) => one[0]!.toUpperCase() + one.slice(1)),
  ].join('Or');

/** How values of one type are written and read: calls of these functions. */
export interface Call {
  /** What comes after `write` and `read`: `List`. */
  name: string;
  /** Functions for what is inside, by the same part of their names: `['Order']`. */
  inside: string[];
  /** See `constantsOf`. */
  known: string;
}
