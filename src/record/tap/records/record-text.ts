/**
 * JSON of records that the tap made: plain objects and arrays. JSON.stringify would call a toJSON that the program
 * put on Object.prototype.
 */
import * as kept from '../realm/intrinsics.ts';

export function recordText(value: unknown): string {
  if (typeof value === 'string') return kept.quoted(value);
  if (typeof value === 'number') return kept.isFiniteNumber(value) ? `${value}` : 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'object' || value === null) return 'null';
  return kept.isArray(value) ? listText(value) : objectText(value as Record<string, unknown>);
}

function listText(list: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < list.length; i++) text += `${i === 0 ? '' : ','}${recordText(list[i])}`;
  return `${text}]`;
}

function objectText(object: Record<string, unknown>): string {
  const names = kept.keys(object);
  let text = '{';
  for (let i = 0; i < names.length; i++) {
    const value = object[names[i]!];
    if (value === undefined) continue;
    text += `${text === '{' ? '' : ','}${kept.quoted(names[i]!)}:${recordText(value)}`;
  }
  return `${text}}`;
}
