import type { Kind } from '../../model/shape.ts';

/**
 * Plain forms of rich types. A value of another kind at the same place travels as it is, so a form is unambiguous as
 * long as none of those looks like it: `to` throws when one does.
 */
export interface PlainForm {
  kind: Kind;
  /** What the form looks like. */
  as: Kind;
  /** Declares a function of this name for the sender and one for the receiver. */
  to: { name: string; source: string };
  from: { name: string; source: string };
}

const clash = (test: string, as: string) => `if (${test}) throw new TypeError('${as} among the values');`;

const DATE: PlainForm = {
  kind: 'date',
  as: 'number',
  to: {
    name: 'dateToNumber',
    source: `function dateToNumber(value) {
  ${clash("typeof value === 'number'", 'numbers')}
  return value instanceof Date ? value.getTime() : value;
}`,
  },
  from: {
    name: 'numberToDate',
    source: `function numberToDate(value) {
  return typeof value === 'number' ? new Date(value) : value;
}`,
  },
};

const BIGINT: PlainForm = {
  kind: 'bigint',
  as: 'string',
  to: {
    name: 'bigintToText',
    source: `function bigintToText(value) {
  ${clash("typeof value === 'string'", 'strings')}
  return typeof value === 'bigint' ? value.toString() : value;
}`,
  },
  from: {
    name: 'textToBigint',
    source: `function textToBigint(value) {
  return typeof value === 'string' ? BigInt(value) : value;
}`,
  },
};

const REGEXP: PlainForm = {
  kind: 'regexp',
  as: 'string',
  to: {
    name: 'regexpToText',
    source: `function regexpToText(value) {
  ${clash("typeof value === 'string'", 'strings')}
  return value instanceof RegExp ? value.flags + '/' + value.source : value;
}`,
  },
  from: {
    name: 'textToRegexp',
    source: `function textToRegexp(value) {
  if (typeof value !== 'string') return value;
  const slash = value.indexOf('/');
  return new RegExp(value.slice(slash + 1), value.slice(0, slash));
}`,
  },
};

const MAP: PlainForm = {
  kind: 'map',
  as: 'array',
  to: {
    name: 'mapToList',
    source: `function mapToList(value) {
  ${clash('Array.isArray(value)', 'arrays')}
  if (!(value instanceof Map)) return value;
  const list = [];
  for (const [key, held] of value) list.push(key, held);
  return list;
}`,
  },
  from: {
    name: 'listToMap',
    source: `function listToMap(value) {
  if (!Array.isArray(value)) return value;
  const map = new Map();
  for (let i = 0; i < value.length; i += 2) map.set(value[i], value[i + 1]);
  return map;
}`,
  },
};

const SET: PlainForm = {
  kind: 'set',
  as: 'array',
  to: {
    name: 'setToList',
    source: `function setToList(value) {
  ${clash('Array.isArray(value)', 'arrays')}
  return value instanceof Set ? Array.from(value) : value;
}`,
  },
  from: {
    name: 'listToSet',
    source: `function listToSet(value) {
  return Array.isArray(value) ? new Set(value) : value;
}`,
  },
};

/** Primitives in a box: `new Number(1)` -> [1]. */
const BOXED: PlainForm = {
  kind: 'boxed',
  as: 'array',
  to: {
    name: 'boxToList',
    source: `function boxToList(value) {
  ${clash('Array.isArray(value)', 'arrays')}
  if (typeof value !== 'object' || value === null) return value;
  const inside = value.valueOf();
  return typeof inside === 'object' ? value : [inside];
}`,
  },
  from: {
    name: 'listToBox',
    source: `function listToBox(value) {
  return Array.isArray(value) ? Object(value[0]) : value;
}`,
  },
};

export const PLAIN_FORMS = {
  date: DATE,
  bigint: BIGINT,
  regexp: REGEXP,
  map: MAP,
  set: SET,
  boxed: BOXED,
} as const satisfies Record<string, PlainForm>;

export type PlainFormName = keyof typeof PLAIN_FORMS;
