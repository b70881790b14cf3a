import type { Kind } from '../../model/vocabulary/shape.ts';
import { indent } from './javascript.ts';

/**
 * Plain forms of rich types. A value of another kind at the same path is sent unchanged, so a form is unambiguous unless
 * such a value looks like it: then `to` throws.
 */
interface PlainForm {
  kind: Kind;
  /** Kinds of the form. */
  as: readonly Kind[];
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
  as: readonly (keyof typeof IS_FORM)[],
  to: [name: string, body: string],
  from: [name: string, body: string],
): PlainForm {
  const [name, body] = to;
  const isForm = as.map((one) => IS_FORM[one]).join(' || ');
  const clash = `if (${isForm}) throw new TypeError('${as.join('s or ')}s among the values');`;
  return { kind, as, to: declared(name, `${clash}\n${body}`), from: declared(...from) };
}

export const PLAIN_FORMS = {
  date: plainForm(
    'date',
    ['number'],
    ['dateToNumber', 'return value instanceof Date ? value.getTime() : value;'],
    ['numberToDate', "return typeof value === 'number' ? new Date(value) : value;"],
  ),
  /** Text only where a number cannot hold it: of 1,000 rows with one each 0.97 of the time on Bun 1.4, numbers 0.55. */
  bigint: plainForm(
    'bigint',
    ['number', 'string'],
    [
      'bigintToNumber',
      `if (typeof value !== 'bigint') return value;
const number = Number(value);
return Number.isSafeInteger(number) ? number : value.toString();`,
    ],
    [
      'numberToBigint',
      "return typeof value === 'number' || typeof value === 'string' ? BigInt(value) : value;",
    ],
  ),
  regexp: plainForm(
    'regexp',
    ['string'],
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
    ['array'],
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
    ['array'],
    ['setToList', 'return value instanceof Set ? Array.from(value) : value;'],
    ['listToSet', 'return Array.isArray(value) ? new Set(value) : value;'],
  ),
  /** `new Number(1)` -> [1]. */
  boxed: plainForm(
    'boxed',
    ['array'],
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
