import { typed } from './dialect.ts';
import { IS_OBJECT } from './javascript.ts';

/** Declares `jsonText`, which throws for what JSON text cannot restore. */
export const JSON_TEXT: readonly string[] = [
  IS_OBJECT,
  `function jsonText(value)${typed('string')} {
  if (!isJson(value)) throw new TypeError('JSON text cannot hold all values');
  return JSON.stringify(value);
}`,
  `/** Whether JSON text restores the value as it is: no undefined, NaN, -0, Date, Map. */
function isJson(value)${typed('boolean')} {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (!isObject(value)) return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) {
    for (const item of value) if (!isJson(item)) return false;
    return true;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    const kind = Object.prototype.toString.call(value);
    if (kind !== '[object Object]' || 'toJSON' in value) return false;
  }
  for (const key in value) if (!isJson(value[key])) return false;
  return true;
}`,
];
