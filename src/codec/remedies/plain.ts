import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { has } from '../../value/shape/shape-facts.ts';
import { declared } from '../code/javascript.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { callTargets, fromMessageCode, type RewriteTarget, toMessageCode } from '../code/rewrite.ts';
import { commonPath, type PatternRows, ShapeIndex } from './facts/shape-index.ts';

/**
 * Plain form of a rich type. Values of other kinds at the same path are sent unchanged. If such a value looks like the
 * form, `to` throws, so that forms are unambiguous.
 */
interface PlainForm {
  /** Kinds that the form can have. */
  as: readonly (keyof typeof IS_FORM)[];
  /** The functions of the sender and of the receiver. */
  to: readonly [name: string, body: string];
  from: readonly [name: string, body: string];
}

const IS_FORM = {
  number: "typeof value === 'number'",
  string: "typeof value === 'string'",
  array: 'Array.isArray(value)',
} as const;

const PLAIN_FORMS = {
  date: {
    as: ['number'],
    to: ['dateToNumber', 'return value instanceof Date ? value.getTime() : value;'],
    from: ['numberToDate', "return typeof value === 'number' ? new Date(value) : value;"],
  },
  /** Text if no number can hold it. 1,000 rows with a text each take 0.97 of the time on Bun 1.4, numbers 0.55. */
  bigint: {
    as: ['number', 'string'],
    to: [
      'bigintToNumber',
      `if (typeof value !== 'bigint') return value;
const number = Number(value);
return Number.isSafeInteger(number) ? number : value.toString();`,
    ],
    from: [
      'numberToBigint',
      "return typeof value === 'number' || typeof value === 'string' ? BigInt(value) : value;",
    ],
  },
  regexp: {
    as: ['string'],
    to: ['regexpToText', "return value instanceof RegExp ? value.flags + '/' + value.source : value;"],
    from: [
      'textToRegexp',
      `if (typeof value !== 'string') return value;
const slash = value.indexOf('/');
return new RegExp(value.slice(slash + 1), value.slice(0, slash));`,
    ],
  },
  map: {
    as: ['array'],
    to: [
      'mapToList',
      `if (!(value instanceof Map)) return value;
const list = [];
for (const [key, item] of value) list.push(key, item);
return list;`,
    ],
    from: [
      'listToMap',
      `if (!Array.isArray(value)) return value;
const map = new Map();
for (let i = 0; i < value.length; i += 2) map.set(value[i], value[i + 1]);
return map;`,
    ],
  },
  set: {
    as: ['array'],
    to: ['setToList', 'return value instanceof Set ? Array.from(value) : value;'],
    from: ['listToSet', 'return Array.isArray(value) ? new Set(value) : value;'],
  },
} as const satisfies Partial<Record<Kind, PlainForm>>;

type PlainFormName = keyof typeof PLAIN_FORMS;

interface PlainPlan extends Plan {
  forms: { path: string; form: PlainFormName }[];
}

/**
 * For Bun: types that keep flat objects off their fast path. For others: Map and Set, which JavaScript calls fill entry
 * by entry. A Date in each row takes 0.95 of the time as a number on Node 20, and less as a column.
 */
const WORTHWHILE: Readonly<Record<string, readonly PlainFormName[]>> = {
  jsc: ['date', 'bigint', 'regexp', 'map', 'set'],
  v8: ['map', 'set'],
  spidermonkey: ['map', 'set'],
  webkit: ['map', 'set'],
};

/** True if the plain form would lose properties, the class or the identity. */
const isMoreThanContent = (row: Facts) =>
  has(row, 'extra-props', 'repeated', 'cycle', 'subclass', 'class-instance');

function formAt(at: PatternRows, names: readonly PlainFormName[]): PlainFormName | null {
  const [kind, ...others] = names.filter((one) => at.kinds.has(one));
  if (kind === undefined || others.length > 0) return null;
  const isClear =
    !PLAIN_FORMS[kind].as.some((one) => at.kinds.has(one)) &&
    !at.rows.some((row) => row.kind === kind && isMoreThanContent(row));
  return isClear ? kind : null;
}

function plans(shape: Shape): PlainPlan[] {
  const index = ShapeIndex.of(shape);
  const names = WORTHWHILE[shape.representation.engine] ?? [];
  const forms = index.all().flatMap((at) => {
    const form = index.isRewritable(at.pattern) ? formAt(at, names) : null;
    return form === null ? [] : [{ path: at.pattern, form }];
  });
  return forms.length === 0 ? [] : [{ path: commonPath(forms.map((one) => one.path)), forms }];
}

function declaredForm({ as, ...functions }: PlainForm, direction: 'to' | 'from'): string {
  const [name, body] = functions[direction];
  const isForm = as.map((one) => IS_FORM[one]).join(' || ');
  const clash = `if (${isForm}) throw new TypeError('${as.join('s or ')}s among the values');\n`;
  return declared(name, { takes: 'value', body: direction === 'to' ? clash + body : body });
}

function codeOf({ forms }: PlainPlan, direction: 'to' | 'from'): [RewriteTarget[], string[]] {
  const targets = forms.flatMap(({ path, form }) => callTargets(PLAIN_FORMS[form][direction][0], [path]));
  const used = [...new Set(forms.map(({ form }) => PLAIN_FORMS[form]))];
  return [targets, used.map((form) => declaredForm(form, direction))];
}

/** Converts values path by path, without tags in the data, so that no key of the payload can be mistaken for a tag. */
export const plain: Remedy = remedyFromCode<PlainPlan>({
  name: 'plain',
  title: 'send plain forms of Date, Map, Set, BigInt',
  plans,
  source: (plan) => ({
    sender: toMessageCode(...codeOf(plan, 'to')),
    receiver: fromMessageCode(...codeOf(plan, 'from')),
  }),
});
