import { keyText } from '../../core/paths.ts';
import type { Assumption } from '../../model/rules/remedy.ts';
import type { ColumnType, Field } from './fields.ts';

/** Types say so too. */
export const NUMBER = 'number';
export const DATE = 'Date';
export const BIGINT = 'BigInt of 64 bits';
export const KEYS = 'an object with the keys ';

const NUMBERS: Readonly<Record<ColumnType, string>> = {
  Float64Array: NUMBER,
  Int32Array: 'integer of 32 bits',
  BigInt64Array: BIGINT,
};

export const numberAssumption = (path: string, type: ColumnType): Assumption => ({
  path,
  what: NUMBERS[type],
});

/** What code for these records takes for granted; `path` is that of their list. */
export function assumptionsOf(path: string, fields: readonly Field[], isTyped: boolean): Assumption[] {
  return recordAssumptions(`${path}[*]`, fields, isTyped);
}

/** The same for one record. */
export function recordAssumptions(path: string, fields: readonly Field[], isTyped: boolean): Assumption[] {
  const keys = fields.map(({ key }) => key).join(', ');
  return [
    { path, what: `${KEYS}${keys}` },
    ...fields.flatMap((field) => fieldAssumptions(path + keyText(field.key), field, isTyped)),
  ];
}

function fieldAssumptions(path: string, field: Field, isTyped: boolean): Assumption[] {
  const { fields, items, list, type, date, text } = field;
  if (fields !== undefined) return recordAssumptions(path, fields, isTyped);
  if (items !== undefined) return recordAssumptions(`${path}[*]`, items, isTyped);
  if (text) return [{ path, what: 'JSON values' }];
  if (date) return [{ path, what: DATE }];
  const values = list ? `${path}[*]` : path;
  return isTyped && type !== undefined ? [numberAssumption(values, type)] : [];
}
