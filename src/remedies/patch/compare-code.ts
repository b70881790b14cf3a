/** Code of a patch writer that compares values, with types in comments: kinds of values, and matching parts. */

/** Functions that find plain data, and equal values. */
export const VALUES = `const isScalar = (value/*: unknown */)/*: boolean */ =>
  typeof value === 'object' ? value === null : typeof value !== 'function' && typeof value !== 'symbol';

/** SET: all that is neither plain data nor a date, and lists with holes. */
function kindOf(value/*: unknown */)/*: number */ {
  if (typeof value !== 'object' || value === null) return SET;
  if (Array.isArray(value)) return hasHoles(value) ? SET : LIST;
  const prototype/*: unknown */ = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return OBJECT;
  return prototype === Date.prototype ? DATE : SET;
}

/** Of what was made by patches. */
function ownKind(value/*: unknown */)/*: number */ {
  if (typeof value !== 'object' || value === null) return SET;
  return Array.isArray(value) ? LIST : value instanceof Date ? DATE : OBJECT;
}

/** Nothing of the program's own, which may change it. */
function withoutOthers(value/*: unknown */)/*: unknown */ {
  if (isScalar(value)) return value;
  const kind = kindOf(value);
  if (kind === LIST) return (value/*as Items */).map(withoutOthers);
  if (kind !== OBJECT) return kind === DATE ? value : NOTHING;
  const copy = { ...(value/*as Keyed */) };
  for (const [key, inner] of Object.entries(copy)) setKey(copy, key, withoutOthers(inner));
  return copy;
}

/** Holes are found as undefined. */
const hasHoles = (list/*: Items */)/*: boolean */ =>
  list.length > 1e7 || (list.includes(undefined) && [...list.keys()].some((at) => !Object.hasOwn(list, at)));

/** Object.is takes longer. */
const isEqual = (a/*: unknown */, b/*: unknown */)/*: boolean */ => (a === b && a !== 0) || Object.is(a, b);

const timeOf = (date/*: unknown */)/*: number */ => Date.prototype.getTime.call(date);

/** Values inside of what is sent as it is: they may stand elsewhere too. */
function insideOf(value/*: object */)/*: unknown[] */ {
  if (ArrayBuffer.isView(value)) return [];
  const type = Object.prototype.toString.call(value);
  if (type === '[object Map]') return [...(value/*as Map<unknown, unknown> */)].flat();
  if (type === '[object Set]') return [...(value/*as Set<unknown> */)];
  return type === '[object Error]' ? [(value/*as Error */).cause] : Object.values(value);
}`;

/** Functions that find removed keys, and moved items. */
export const MATCHES = String.raw`function areSame(before/*: Items */, now/*: Items */)/*: boolean */ {
  if (before.length !== now.length) return false;
  for (let i = 0; i < now.length; i++) if (before[i] !== now[i]) return false;
  return true;
}

/** Null where the keys would not stand in this order: those that stay as they were, and behind them those that came. */
function goneKeys(
  previous/*: Keyed */,
  before/*: string[] */,
  next/*: Keyed */,
  keys/*: string[] */,
)/*: string[] | null */ {
  const stay = before.filter((key) => isSent(next, key));
  const came = keys.filter((key) => !isSent(previous, key));
  const isInOrder = areSame([...stay, ...came].filter(isName), keys.filter(isName));
  return isInOrder ? before.filter((key) => !isSent(next, key)) : null;
}

/** A property that is not enumerable is not. */
const isSent = (object/*: object */, key/*: string */)/*: boolean */ =>
  Object.prototype.propertyIsEnumerable.call(object, key);

/** Keys that are numbers stand in the order of engines. */
const isName = (key/*: string */)/*: boolean */ => !/^(0|[1-9]\d{0,8})$/.test(key);

/** Of lists of records with an id of their own each; undefined of others. */
function placesById(previous/*: Items */, next/*: Items */)/*: number[] | null | undefined */ {
  const id = kindOf(next[0]) === OBJECT ? Object.keys(next[0]/*as Keyed */).find(isIdName) : undefined;
  if (id === undefined || previous.length === 0) return undefined;
  const idOf = (list/*: Items */, i/*: number */) => (list[i]/*as Keyed | null | undefined */)?.[id];
  let same = 0;
  while (same < next.length && same < previous.length && idOf(previous, same) === idOf(next, same)) same++;
  if (same === next.length && same === previous.length) return null;
  const places = new Map(previous.map((_, i) => [idOf(previous, i), i]));
  const ids = new Set(next.map((_, i) => idOf(next, i)));
  if (places.size < previous.length || ids.size < next.length) return undefined;
  return Array.from(ids, (one) => places.get(one) ?? NEW);
}

const isIdName = (key/*: string */)/*: boolean */ => /^_?(id|key|uuid)$/i.test(key);`;
