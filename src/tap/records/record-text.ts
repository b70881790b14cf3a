/**
 * JSON of records that the tap made: plain objects and arrays. JSON.stringify would call a toJSON that the program
 * put on Object.prototype.
 */
import { isArray, isFiniteNumber, keys, quoted } from '../realm/intrinsics.ts';

export function recordText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return isFiniteNumber(value) ? `${value}` : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'object' || value === null) return 'null';
  return isArray(value) ? listText(value) : objectText(value as Record<string, unknown>);
}

function listText(list: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < list.length; i++) text += `${i === 0 ? '' : ','}${recordText(list[i])}`;
  return `${text}]`;
}

function objectText(object: Record<string, unknown>): string {
  const names = keys(object);
  let text = '{';
  for (let i = 0; i < names.length; i++) {
    const value = object[names[i]!];
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${quoted(names[i]!)}:${recordText(value)}`;
  }
  return `${text}}`;
}
