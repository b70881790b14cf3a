/** All ways of writing values, and the choice of ways for a type. */
import type { PayloadSchema, ValueType } from '../../../model/documents/payload-schema.ts';
import type { TextForm, Way } from '../way.ts';
import { dictionary, map, set, table } from './containers.ts';
import { ints, list, numbers, tuple } from './lists.ts';
import { bigint, boolean, date, double, int, isListed, rest, text, word } from './scalars.ts';

/** Objects with fixed keys: each record has separate functions (records.ts). */
const record: Way = {
  name: 'record',
  fits: ({ record }) => record !== undefined,
  tsType: ({ record }, types) => types.record(record!),
  test: () => 'isPlain(value)',
  call: ({ record }, functions) => ({ name: functions.record(record!), inside: [] }),
};

/** The order of the tests: lists of numbers come before other lists. */
export const WAYS: readonly Way[] = [
  ...[word, text, int, double, boolean, tuple, ints, numbers, list, record],
  ...[dictionary, table, bigint, date, map, set, rest],
];

/** Ways of writing this type. Booleans are constants if the type has other ways. If one kind is cloned, all are. */
export function waysOf(type: ValueType, form: TextForm): Way[] {
  const all = WAYS.filter((way) => way.fits(type, form));
  if (all.includes(rest)) return [rest];
  return all.length > 1 ? all.filter((way) => way !== boolean) : all;
}

/** `null|boolean`: constants that the place may hold instead of a value. */
export function knownConstants(
  { null: hasNull, undefined: hasUndefined, boolean: hasBoolean }: ValueType,
  ways: readonly Way[],
): string {
  const isApart = hasBoolean && !ways.includes(boolean);
  const all = [hasNull && 'null', hasUndefined && 'undefined', isApart && 'boolean'];
  return all.filter((one) => typeof one === 'string').join('|');
}

/** True if some texts are long enough that the form of sending them matters. */
export const hasLongTexts = ({ types }: PayloadSchema): boolean =>
  types.some(({ text: facts }) => facts !== undefined && !facts.repeats && isListed(facts, 'listed'));

/** True if the whole payload would be cloned unchanged. */
export function isAllRest({ types }: PayloadSchema, form: TextForm): boolean {
  const [way, ...others] = waysOf(types[0]!, form);
  if (others.length > 0) return false;
  return way === undefined || way === rest || (way === text && types.length === 1);
}
