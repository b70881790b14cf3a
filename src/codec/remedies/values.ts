/** Rewrites of plain data: numbers as typed arrays, plain forms of rich types, and copies in fast storage. */
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Plan } from '../../model/documents/trial.ts';
import type { ProposalFacts, Remedy } from '../../model/rules/remedy.ts';
import type { Flag, Kind } from '../../model/vocabulary/shape.ts';
import { flatMap, map } from '../../value/read/lists.ts';
import { has, isScalar } from '../../value/shape/shape-facts.ts';
import { capitalized, declared } from '../code/javascript.ts';
import { remedyFromCode } from '../code/remedy-from-code.ts';
import { convertedAt, fromMessageCode, toMessageCode } from '../code/rewrite.ts';
import { type PathsPlan, type PatternRows, planFor, ShapeIndex } from './shape-index.ts';

type NumberType = 'Int32Array' | 'Float64Array';

interface TypedArrayPlan extends Plan {
  lists: { path: string; type: NumberType }[];
}

/** Minimum length: for shorter arrays, a buffer and a view cost more than the elements. */
const MIN_LENGTH = 64;

/** True for an array without holes and without properties other than its elements. */
const isPlainArray = (row: Facts) =>
  row.kind === 'array' && !has(row, 'holes', 'named-props', 'symbol-key', 'accessor');

/** Float64Array holds every number. Int32Array holds every int32 except -0, and needs the assumption of integers. */
function numberType(list: PatternRows, areIntegers: boolean): NumberType | null {
  const [items, ...others] = list.children;
  if (items === undefined || others.length > 0 || !list.rows.every(isPlainArray)) return null;
  if (items.count !== list.size || items.count < MIN_LENGTH) return null;
  if (!items.rows.every((row) => row.kind === 'number')) return null;
  const isInt32 = (row: Facts) => has(row, 'int32') && !has(row, 'negative-zero');
  return areIntegers && items.rows.every(isInt32) ? 'Int32Array' : 'Float64Array';
}

/** Plans for the payload, its keys, or one list below. More lists, such as a list in each row, are for `compiled`. */
function numberPlans(shape: Shape, { assumeIntegers = false }: ProposalFacts): TypedArrayPlan[] {
  const index = new ShapeIndex(shape);
  const lists = index.all().flatMap((at) => {
    const isOne = at.count === 1 && at.steps.every(({ type }) => type === 'key');
    const type = isOne && index.isRewritable(at.pattern) ? numberType(at, assumeIntegers) : null;
    return type === null ? [] : [{ path: at.pattern, type }];
  });
  const isFew = lists.length === 1 || lists.every(({ path }) => index.at(path)!.depth === 1);
  return isFew ? planFor(lists.map((one) => one.path)).map(({ path }) => ({ path, lists })) : [];
}

/** Object.is detects -0, which an Int32Array cannot hold. */
const NUMBERS: Readonly<Record<NumberType, { what: string; fits: string }>> = {
  Int32Array: { what: 'integer of 32 bits', fits: 'Object.is(number | 0, number)' },
  Float64Array: { what: 'number', fits: "typeof number === 'number'" },
};

const toTyped = (type: NumberType) => `function to${type}(list) {
  if (ArrayBuffer.isView(list)) throw new TypeError('already a typed array');
  if (!Array.isArray(list)) return list;
  const copy = new ${type}(list.length);
  for (let i = 0; i < list.length; i++) {
    const number = list[i];
    if (!(${NUMBERS[type].fits})) throw new TypeError('${type} cannot hold all elements');
    copy[i] = number;
  }
  return copy;
}`;

/** A loop is used because Array.from takes twice the time in V8 and JSC. */
const TO_LIST = `const isTyped = (value/*: unknown */)/*: value is Float64Array */ => ArrayBuffer.isView(value);

function toList(numbers) {
  if (!isTyped(numbers)) return numbers;
  const list = [];
  for (let i = 0; i < numbers.length; i++) list.push(numbers[i]);
  return list;
}`;

export const typedArray: Remedy = remedyFromCode<TypedArrayPlan>({
  name: 'typed-array',
  title: 'send numbers as a typed array',
  ofMemory: true,
  plans: numberPlans,
  assumes: ({ lists }) => lists.map(({ path, type }) => ({ path: `${path}[*]`, what: NUMBERS[type].what })),
  helpers: [toTyped('Int32Array'), toTyped('Float64Array'), TO_LIST].join('\n\n'),
  source({ lists }) {
    const paths = lists.map(({ path }) => path);
    return convertedAt(paths, (at) => `to${lists[at]!.type}`, 'toList');
  },
});

/**
 * Plain form of a rich type: conditions and bodies of the functions of both ends. Values of other kinds at the same path
 * are sent unchanged. If such a value looks like the form, the sender throws, so that forms are unambiguous.
 */
interface PlainForm {
  as: readonly (keyof typeof IS_FORM)[];
  is: string;
  to: string;
  from: string;
}

const IS_FORM = {
  number: "typeof value === 'number'",
  string: "typeof value === 'string'",
  array: 'Array.isArray(value)',
} as const;

const PLAIN_FORMS = {
  date: {
    as: ['number'],
    is: 'value instanceof Date',
    to: 'return value.getTime();',
    from: 'return new Date(value);',
  },
  /** Text if no number can hold it. 1,000 rows with a text each take 0.97 of the time on Bun 1.4, numbers 0.55. */
  bigint: {
    as: ['number', 'string'],
    is: "typeof value === 'bigint'",
    to: 'const number = Number(value);\nreturn Number.isSafeInteger(number) ? number : value.toString();',
    from: 'return BigInt(value);',
  },
  regexp: {
    as: ['string'],
    is: 'value instanceof RegExp',
    to: "return value.flags + '/' + value.source;",
    from: `const slash = value.indexOf('/');
return new RegExp(value.slice(slash + 1), value.slice(0, slash));`,
  },
  map: {
    as: ['array'],
    is: 'value instanceof Map',
    to: 'const list = [];\nfor (const [key, item] of value) list.push(key, item);\nreturn list;',
    from: `const map = new Map();
for (let i = 0; i < value.length; i += 2) map.set(value[i], value[i + 1]);
return map;`,
  },
  set: {
    as: ['array'],
    is: 'value instanceof Set',
    to: 'return Array.from(value);',
    from: 'return new Set(value);',
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
const worthwhile = ({ representation }: Shape): readonly PlainFormName[] =>
  representation.engine === 'jsc' ? ['date', 'bigint', 'regexp', 'map', 'set'] : ['map', 'set'];

const isMoreThanContent = (row: Facts) =>
  has(row, 'extra-props', 'repeated', 'cycle', 'subclass', 'class-instance');

function isClear({ kinds, rows }: PatternRows, form: PlainFormName): boolean {
  const isAmbiguous = PLAIN_FORMS[form].as.some((one) => kinds.has(one));
  return !isAmbiguous && !rows.some((row) => row.kind === form && isMoreThanContent(row));
}

function plainPlans(shape: Shape): PlainPlan[] {
  const index = new ShapeIndex(shape);
  const names = worthwhile(shape);
  const forms = index.all().flatMap((at) => {
    const [form, ...others] = names.filter((one) => at.kinds.has(one));
    const isOne = form !== undefined && others.length === 0 && isClear(at, form);
    return isOne && index.isRewritable(at.pattern) ? [{ path: at.pattern, form }] : [];
  });
  return planFor(forms.map((one) => one.path)).map(({ path }) => ({ path, forms }));
}

const toPlain = (form: string) => `${form}ToPlain`;
const fromPlain = (form: string) => `plainTo${capitalized(form)}`;

function formCode([form, { as, is, to, from }]: [string, PlainForm]): string[] {
  const isForm = map(as, (one) => IS_FORM[one]).join(' || ');
  const clash = `if (${isForm}) throw new TypeError('${as.join('s or ')}s among the values');`;
  const body = `${clash}\nif (!(${is})) return value;\n${to}`;
  return [
    declared(toPlain(form), { takes: 'value', body }),
    declared(fromPlain(form), { takes: 'value', body: `if (!(${isForm})) return value;\n${from}` }),
  ];
}

/** Converts values path by path, without tags in the data, so that no key of the payload can be mistaken for a tag. */
export const plain: Remedy = remedyFromCode<PlainPlan>({
  name: 'plain',
  title: 'send plain forms of Date, Map, Set, BigInt',
  plans: plainPlans,
  helpers: flatMap(Object.entries<PlainForm>(PLAIN_FORMS), formCode).join('\n\n'),
  source({ forms }) {
    const paths = forms.map(({ path }) => path);
    return {
      sender: toMessageCode(paths, (at) => toPlain(forms[at]!.form)),
      receiver: fromMessageCode(paths, (at) => fromPlain(forms[at]!.form)),
    };
  },
});

const NO_EXTENSIONS = ['frozen', 'sealed', 'non-extensible'] as const;
const SLOW_OBJECT = [
  ...(['dictionary', 'uncacheable-dictionary', 'hidden-state', 'non-enumerable'] as const),
  ...(['non-configurable', 'symbol-key', 'accessor', ...NO_EXTENSIONS] as const),
];
/** Storage that the engine clones slowly, although no element is missing. */
const SLOW_ARRAY = [
  ...(['holey-kind', 'not-fast-elements', 'dictionary-elements', 'array-storage'] as const),
  ...(['slow-put', 'named-props-history', ...NO_EXTENSIONS] as const),
];

/** Plan for values of one kind in slow storage, with no other than the allowed values at their paths. */
function slowPlans(shape: Shape, kind: Kind, storage: readonly Flag[], isAllowed: (row: Facts) => boolean) {
  const isSlow = (row: Facts) => row.kind === kind && !has(row, 'empty') && has(row, ...storage);
  const paths = new ShapeIndex(shape).rewritable(isSlow, isAllowed);
  return planFor(paths, paths[0]);
}

/** Spreading would copy symbol keys, which are never cloned but keep an object off Bun's fast path. */
const FRESH = `function fresh(value) {
  if (!isObject(value) || Object.prototype.toString.call(value) !== '[object Object]') return value;
  if (Object.getOwnPropertySymbols(value).length === 0) return { ...value };
  return Object.fromEntries(Object.entries(value));
}`;

export const rebuild: Remedy = remedyFromCode<PathsPlan>({
  name: 'rebuild',
  title: 'copy the object into a fresh one',
  plans(shape) {
    // Bun has fast paths only for the root object and for objects in a root array.
    const isTaken = ({ pattern }: Facts) =>
      shape.representation.engine !== 'jsc' || pattern === '$' || pattern === '$[*]';
    const isAllowed = (row: Facts) => isTaken(row) && (row.kind === 'object' || isScalar(row));
    return slowPlans(shape, 'object', SLOW_OBJECT, isAllowed);
  },
  helpers: FRESH,
  source: ({ paths }) => ({ sender: toMessageCode(paths, 'fresh') }),
});

/** Pushing makes packed elements in V8 and contiguous elements in JSC; slice and spread keep the holey kind in V8. */
const PACKED = `function packed(list) {
  if (!Array.isArray(list)) return list;
  const copy = [];
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (item === undefined && !Object.hasOwn(list, i)) throw new TypeError('the array has holes');
    copy.push(item);
  }
  return copy;
}`;

export const repack: Remedy = remedyFromCode<PathsPlan>({
  name: 'repack',
  title: 'copy the array into a packed one',
  plans(shape) {
    // Bun has a fast path only for a root array.
    const deepest = shape.representation.engine === 'jsc' ? 0 : Number.POSITIVE_INFINITY;
    const isAllowed = (row: Facts) => row.depth <= deepest && (row.kind !== 'array' || isPlainArray(row));
    return slowPlans(shape, 'array', SLOW_ARRAY, isAllowed);
  },
  helpers: PACKED,
  source: ({ paths }) => ({ sender: toMessageCode(paths, 'packed') }),
});
