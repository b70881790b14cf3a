import type { PayloadSchema, ValueType } from '../../model/documents/payload-schema.ts';

/** Ways to encode the values of one place. */
export type Way =
  | 'boolean'
  | 'int'
  | 'double'
  | 'text'
  | 'word'
  | 'bigint'
  | 'date'
  | 'numbers'
  | 'ints'
  | 'tuple'
  | 'list'
  | 'record'
  | 'dictionary'
  | 'table'
  | 'map'
  | 'set'
  | 'rest';

/** Where long texts stand in a message: joined with all others, or in the list of what is cloned. */
export type TextForm = 'joined' | 'listed';

/** Mean length from which on texts are listed: shorter ones are cheaper to join. */
const LONG_TEXT = 40;

function isListed({ count, units }: { count: number; units: number }, form: TextForm): boolean {
  return form === 'listed' && units >= LONG_TEXT * count;
}

/** How values of this type are written, in the order in which they are told apart. */
export function findWays(type: ValueType, form: TextForm): Way[] {
  if (type.rest || type.bytes) return ['rest'];
  const { number, text, numbers } = type;
  const ways: Way[] = [];
  if (text) ways.push(text.repeats ? 'word' : isListed(text, form) ? 'rest' : 'text');
  if (number) ways.push(number === 'int32' ? 'int' : 'double');
  if (numbers) ways.push(numbers.length !== undefined ? 'tuple' : numbers.int32 ? 'ints' : 'numbers');
  if (type.list !== undefined) ways.push('list');
  if (type.record !== undefined) ways.push('record');
  if (type.dictionary !== undefined) ways.push(type.keysRepeat ? 'table' : 'dictionary');
  if (type.bigint) ways.push('bigint');
  if (type.date) ways.push('date');
  if (type.map) ways.push('map');
  if (type.set !== undefined) ways.push('set');
  // Where one kind is cloned, the others are too.
  if (ways.includes('rest')) return ['rest'];
  return ways.length === 0 && type.boolean ? ['boolean'] : ways;
}

/** `null|boolean`: what may stand there instead, and is no misfit. */
export function knownConstants(
  { null: hasNull, undefined: hasUndefined, boolean }: ValueType,
  ways: readonly Way[],
): string {
  const isApart = boolean && ways[0] !== 'boolean';
  const all = [hasNull && 'null', hasUndefined && 'undefined', isApart && 'boolean'];
  return all.filter((one) => typeof one === 'string').join('|');
}

/** Some are long enough that it matters how they are sent. */
export const hasLongTexts = ({ types }: PayloadSchema): boolean =>
  types.some(({ text }) => text !== undefined && !text.repeats && isListed(text, 'listed'));

/** The whole payload would be cloned as it is. */
export const isAllRest = ({ types }: PayloadSchema, form: TextForm): boolean => {
  const [way, ...others] = findWays(types[0]!, form);
  return (
    others.length === 0 && (way === undefined || way === 'rest' || (way === 'text' && types.length === 1))
  );
};

/** One helper writes and reads them. */
export const SCALAR_HELPERS: ReadonlySet<string> = new Set(
  'Boolean Int Double Text Word Bigint Date'.split(' '),
);

/** `word` -> `Word`: the helpers that write and read values of this way, but of those with functions of their own. */
export const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** `OrderOrNull` */
export const orKnown = (name: string, known: string): string =>
  [name, ...(known === '' ? [] : known.split('|').map(capitalized))].join('Or');

/** Functions for both directions, and the helpers that they call. */
export interface FunctionCode {
  text: string;
  helpers: string[];
}

/** How values of one type are written and read: calls of these functions. */
export interface TypeCall {
  /** What comes after `write` and `read`: `List`. */
  name: string;
  /** Functions for what is inside, by the same part of their names: `['Order']`. */
  inside: string[];
  /** See `knownConstants`. */
  known: string;
}

/** Expression that reads such a value. */
export const readCall = (name: string, inside: readonly string[]): string =>
  `read${name}(${inside.map((one) => `read${one}`).join(', ')})`;
