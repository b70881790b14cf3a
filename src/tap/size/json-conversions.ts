/** Values that JSON.stringify converts by a `toJSON` of the runtime's own. */
import { callOn, DATE, realm } from '../../core/value/intrinsics.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { dataOf, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isView } from '../realm/intrinsics.ts';
import type { TypeTests } from '../realm/platform.ts';
import { UNKNOWN } from './built-ins.ts';

const bufferToJson = (realm.Buffer as typeof Buffer | undefined)?.prototype.toJSON;
const dateToJson = dataOf(DATE.prototype, 'toJSON');

/** null where there is none. @throws UNKNOWN for one of the program's */
export function conversionOf(value: object, types: TypeTests): 'buffer' | 'date' | null {
  const convert = toJsonOf(value, types);
  if (convert === null) return null;
  if (convert === bufferToJson && isView(value)) return 'buffer';
  if (convert === dateToJson && typeDetection().of(value).kind === 'date') return 'date';
  throw UNKNOWN;
}

/** The function that JSON.stringify would call; null where there is none. */
function toJsonOf(value: object, { isProxy }: TypeTests): unknown {
  for (let at: object | null = value; at !== null; at = getPrototypeOf(at)) {
    if (isProxy(at)) throw UNKNOWN;
    const found = getOwnPropertyDescriptor(at, 'toJSON');
    if (found === undefined) continue;
    if (!hasOwn(found, 'value')) throw UNKNOWN;
    return typeof found.value === 'function' ? found.value : null;
  }
  return null;
}

const INVALID = 4;
const ISO = 26;
/** Years of more than four digits have a sign and two more. */
const LONG_ISO = 29;
const FOUR_DIGITS = { from: -62_167_219_200_000, to: 253_402_300_800_000 };

export function dateBytes(date: object): number {
  const ms = callOn(DATE.getTime, date) as number;
  if (Number.isNaN(ms)) return INVALID;
  return ms >= FOUR_DIGITS.from && ms < FOUR_DIGITS.to ? ISO : LONG_ISO;
}
