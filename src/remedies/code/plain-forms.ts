import type { Kind } from '../../model/rules/shape.ts';
import { indent } from './javascript.ts';

/**
 * Plain forms of rich types. A value of another kind at the same path is sent unchanged, so a form is unambiguous unless
 * such a value looks like it: then `to` throws.
 */
interface PlainForm {
  kind: Kind;
  /** Kind of the form. */
  as: Kind;
  /** A function for the sender and one for the receiver. */
  to: { name: string; source: string };
  from: { name: string; source: string };
}

const IS_FORM = {
  number: "typeof value === 'number'",
  string: "typeof value === 'string'",
  array: 'Array.isArray(value)',
} as const;

const declared = (name: string, body: string) => ({
  name,
  source: `function ${name}(value) {\n${indent(body)}\n}`,
});

function plainForm(
  kind: Kind,
  as: keyof typeof IS_FORM,
  to: [name: string, body: string],
  from: [name: string, body: string],
): PlainForm {
  const [name, body] = to;
  const clash = `if (${IS_FORM[as]}) throw new TypeError('${as}s among the values');`;
  return { kind, as, to: declared(name, `${clash}\n${body}`), from: declared(...from) };
}

export const PLAIN_FORMS = {
  date: plainForm(
    'date',
    'number',
    ['dateToNumber', 'return value instanceof Date ? value.getTime() : value;'],
    ['numberToDate', "return typeof value === 'number' ? new Date(value) : value;"],
  ),
  bigint: plainForm(
    'bigint',
    'string',
    ['bigintToText', "return typeof value === 'bigint' ? value.toString() : value;"],
    ['textToBigint', "return typeof value === 'string' ? BigInt(value) : value;"],
  ),
  regexp: plainForm(
    'regexp',
    'string',
    ['regexpToText', "return value instanceof RegExp ? value.flags + '/' + value.source : value;"],
    [
      'textToRegexp',
      `if (typeof value !== 'string') return value;
const slash = value.indexOf('/');
return new RegExp(value.slice(slash + 1), value.slice(0, slash));`,
    ],
  ),
  map: plainForm(
    'map',
    'array',
    [
      'mapToList',
      `if (!(value instanceof Map)) return value;
const list = [];
for (const [key, item] of value) list.push(key, item);
return list;`,
    ],
    [
      'listToMap',
      `if (!Array.isArray(value)) return value;
const map = new Map();
for (let i = 0; i < value.length; i += 2) map.set(value[i], value[i + 1]);
return map;`,
    ],
  ),
  set: plainForm(
    'set',
    'array',
    ['setToList', 'return value instanceof Set ? Array.from(value) : value;'],
    ['listToSet', 'return Array.isArray(value) ? new Set(value) : value;'],
  ),
  /** `new Number(1)` -> [1]. */
  boxed: plainForm(
    'boxed',
    'array',
    [
      'boxToList',
      `if (typeof value !== 'object' || value === null) return value;
const inside = value.valueOf();
return typeof inside === 'object' ? value : [inside];`,
    ],
    ['listToBox', 'return Array.isArray(value) ? Object(value[0]) : value;'],
  ),
} as const satisfies Record<string, PlainForm>;

export type PlainFormName = keyof typeof PLAIN_FORMS;
