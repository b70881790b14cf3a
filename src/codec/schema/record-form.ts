/** Form of the objects of a record: a few lists of keys, a set of optional keys, or dictionaries. */

import { sumOf, sumsBy } from '../../model/sums.ts';
import type { DraftType, Layout, RecordForm } from './draft.ts';

/** Maximum optional keys: the bits of a positive 32-bit integer. */
const MAX_OPTIONAL = 30;
const MAX_LITERALS = 4;
/** Maximum lists of keys if the keys do not have a common order. */
const MAX_LITERALS_WITHOUT_ORDER = 48;
/** Minimum objects for each list of keys; otherwise the objects are dictionaries. */
const MIN_OBJECTS_OF_EACH = 4;
/** Maximum keys of all literals together, because they are lines of code. */
const MAX_LITERAL_KEYS = 120;
const MAX_FIELDS = 256;

/** Returns null if the objects can only be dictionaries. */
export function recordForm({ layouts, fields }: Layout): RecordForm | null {
  const lists = byCount(layouts).map(({ keys }) => keys);
  if (fields.size > MAX_FIELDS) return null;
  const order = commonOrder(lists);
  const byLists = { keys: order ?? [...fields.keys()], layouts: lists };
  const isFew = lists.length <= MAX_LITERALS && lists.flat().length <= MAX_LITERAL_KEYS;
  if (lists.length === 1 || (isFew && order !== null)) return byLists;
  const optional = [...fields.keys()].filter((key) => lists.some((keys) => !keys.includes(key)));
  if (order !== null && optional.length <= MAX_OPTIONAL) return { keys: order, layouts: null };
  const objects = sumOf([...layouts], ({ count }) => count);
  const isFrequent = lists.length <= MAX_LITERALS || objects >= MIN_OBJECTS_OF_EACH * lists.length;
  const isShort = lists.length <= MAX_LITERALS_WITHOUT_ORDER && lists.flat().length <= 2 * MAX_LITERAL_KEYS;
  return isFrequent && isShort ? byLists : null;
}

/** Minimum share of all objects that have a key, for the key to get a separate type. */
const MIN_SPECIAL_SHARE = 0.3;
const MIN_SPECIAL_LAYOUTS = 8;
const MAX_SPECIAL = 16;

/** Keys that most dictionaries have, such as `__compat` among names of children. */
export function specialKeys({ rare, layouts: own }: Layout): Set<string> {
  const layouts = new Set([...rare, ...own]);
  const objects = sumOf([...layouts], ({ count }) => count);
  if (layouts.size < MIN_SPECIAL_LAYOUTS) return new Set();
  const keyed = [...layouts].flatMap(({ keys, count }) => keys.map((key) => ({ key, count })));
  const counts = sumsBy(
    keyed,
    ({ key }) => key,
    ({ count }) => count,
  );
  const special = [...counts]
    .filter(([key, count]) => isName(key) && count >= MIN_SPECIAL_SHARE * objects)
    .sort(([, a], [, b]) => b - a);
  return new Set(special.slice(0, MAX_SPECIAL).map(([key]) => key));
}

/** Sorts layouts by frequency, because the first is compared first. */
const byCount = (layouts: Iterable<Layout>): Layout[] => [...layouts].sort((a, b) => b.count - a.count);

const MIN_KEYS = 24;
/** Maximum keys with values of the same kind in a record: the code would have that many similar lines. */
const MAX_UNIFORM_KEYS = 64;
const MIN_RECORD_KEYS = 6;
const MIN_ID_KEYS = 4;
const MIN_SPARSE_KEYS = 8;
/** Maximum objects of a dictionary with only one layout: if more have the same keys, the keys are fields. */
const MAX_OBJECTS = 2;

/** True if the keys are names of things instead of fields: each object has different keys, or would with other data. */
export function isDictionary({ layouts, fields }: Layout): boolean {
  const keys = [...fields.keys()];
  if (keys.every((key) => !isName(key))) return areUniform([...fields.values()]);
  if (keys.length < MIN_ID_KEYS || !areUniform([...fields.values()])) return false;
  if (keys.length >= MAX_UNIFORM_KEYS) return true;
  const objects = sumOf([...layouts], ({ count }) => count);
  if (layouts.size > 1) {
    const mean = sumOf([...layouts], (layout) => layout.count * layout.keys.length) / objects;
    if (2 * mean >= keys.length && objects >= MIN_OBJECTS_OF_EACH * keys.length) return false;
    return areIds(keys) || (keys.length >= MIN_SPARSE_KEYS && 2 * mean < keys.length);
  }
  if (objects > MAX_OBJECTS) return false;
  if (keys.length >= MIN_KEYS || areIds(keys)) return true;
  return keys.length >= MIN_RECORD_KEYS && [...fields.values()].every((type) => type.record !== null);
}

const isName = (key: string): boolean => /^[A-Za-z_$]+\d{0,2}$/.test(key);

const areIds = (keys: readonly string[]): boolean => 2 * keys.filter(isName).length < keys.length;

/** Returns an order that agrees with the order of keys in all these lists; null if two lists contradict each other. */
function commonOrder(lists: readonly (readonly string[])[]): string[] | null {
  const after = new Map<string, Set<string>>();
  const waiting = new Map<string, number>();
  for (const keys of lists)
    for (const [at, key] of keys.entries()) {
      if (!after.has(key)) after.set(key, new Set());
      if (!waiting.has(key)) waiting.set(key, 0);
      const next = keys[at + 1];
      if (next === undefined || after.get(key)!.has(next)) continue;
      after.get(key)!.add(next);
      waiting.set(next, (waiting.get(next) ?? 0) + 1);
    }
  const order: string[] = [];
  const ready = [...waiting].filter(([, count]) => count === 0).map(([key]) => key);
  for (let key = ready.shift(); key !== undefined; key = ready.shift()) {
    order.push(key);
    for (const next of after.get(key)!) {
      const left = waiting.get(next)! - 1;
      waiting.set(next, left);
      if (left === 0) ready.unshift(next);
    }
  }
  return order.length === waiting.size ? order : null;
}

// Checks if values are of one kind, so that their keys may be names of things.

/** Minimum share of all their keys that similar records have on average. */
const MIN_SHARED = 0.4;

/** Kinds of values at the ends of nested objects. */
interface Leaves {
  kinds: Set<string>;
  /** Records whose fields are of several kinds. */
  records: Set<Layout>;
}

/** True if the values are of one kind, apart from null and objects that contain such values. */
function areUniform(types: readonly DraftType[]): boolean {
  const { kinds, records } = leavesOf(types, new Set());
  return kinds.size === 1 && areAlike([...records]);
}

/** @param path records and types around these types: records and dictionaries may contain themselves */
function leavesOf(types: Iterable<DraftType>, path: ReadonlySet<Layout | DraftType>): Leaves {
  const leaves: Leaves = { kinds: new Set(), records: new Set() };
  for (const type of types) {
    addKinds(type.now, leaves.kinds);
    const { record } = type;
    const values = type.now.inside.values?.now;
    if (values !== undefined && !path.has(values)) add(leaves, leavesOf([values], new Set(path).add(values)));
    if (record === null || path.has(record)) continue;
    const below = leavesOf(record.fields.values(), new Set(path).add(record));
    if (below.kinds.size <= 1 && areAlike([...below.records])) add(leaves, below);
    else add(leaves, { kinds: new Set(['record']), records: new Set([record]) });
    if (leaves.kinds.size > 1) return leaves;
  }
  return leaves;
}

function add(to: Leaves, { kinds, records }: Leaves): void {
  for (const kind of kinds) to.kinds.add(kind);
  for (const record of records) to.records.add(record);
}

function addKinds(type: DraftType, kinds: Set<string>): void {
  const { items, members, keys } = type.inside;
  if (type.texts.count > 0) kinds.add('text');
  if (type.hasNumber) kinds.add('number');
  for (const kind of ['boolean', 'bigint', 'date'] as const) if (type.kinds.has(kind)) kinds.add(kind);
  if (items !== undefined || type.numbers.count > 0) kinds.add('list');
  if (keys !== undefined) kinds.add('map');
  if (members !== undefined) kinds.add('set');
  if (type.bytes.size > 0 || type.kinds.has('rest')) kinds.add('rest');
}

function areAlike(records: readonly Layout[]): boolean {
  if (records.length <= 1) return true;
  const keys = new Set(records.flatMap(({ fields }) => [...fields.keys()]));
  return sumOf(records, ({ fields }) => fields.size) / records.length >= MIN_SHARED * keys.size;
}
