/** Functions that a module brings along: it includes the functions that its text uses. */

/** @param seed a different seed gives texts that begin with other signs */
const text = (
  seed: number,
): string => `/** A text of so many units: how many of them are beyond ASCII, halves of pairs, or escaped in JSON. */
let made = 0;
const text = (units, latin = 0, two = 0, three = 0, halves = 0, escaped = 0, controls = 0) => {
  const plain = Math.max(0, units - latin - two - three - halves - escaped - controls);
  const mark = (made++ + ${seed % 97}).toString(36).slice(-plain || units);
  const words = "the quick brown fox jumps over the lazy dog, ";
  const start = made % words.length;
  const long = words.repeat(Math.ceil(plain / words.length) + 1).slice(start, start + Math.max(0, plain - mark.length));
  const beyond = ["\\u00e9".repeat(latin), "\\u0416".repeat(two), "\\u4e2d".repeat(three)];
  const pairs = "\\ud83d\\ude00".repeat(halves >> 1) + "\\ud800".repeat(halves % 2);
  return [plain > 0 ? mark : "", long, ...beyond, pairs, '"'.repeat(escaped), "\\u0001".repeat(controls)].join("");
};`;

export const HELPERS = {
  text,
  rope: () => `/** A text that the engine has not joined yet. */
const rope = (text) => text.slice(0, text.length >> 1) + text.slice(text.length >> 1);`,
  cut: () => `/** A text that is a part of a longer one in memory. */
const cut = (text) => [text, "."].join("").slice(0, -1);`,
  loose: () => `/** Stored as two bytes a unit, though one would do. */
const loose = (text) => {
  const long = ["\\u4e00", text].join("");
  return [long.slice(1, -1), long.slice(-1)].join("");
};`,
  named: () => `/** Another key of about so many units. */
const named = (i, units) => \`k\${i.toString(36)}\`.padEnd(units, "_");`,
  other: () => `/** A key or member that is like another, and differs from it. */
const other = (like, i) => {
  if (typeof like === "string") return named(i, like.length);
  return typeof like === "number" ? like + i : like;
};`,
  list: () => `/** So many items, made by these functions in turn. */
const list = (length, makers, into = []) => {
  for (let i = 0; i < length; i++) into.push(makers[i % makers.length]());
  return into;
};`,
  cycled: () => `/** So many items, which are these in turn. */
const cycled = (length, items, into = []) => {
  for (let i = 0; i < length; i++) into.push(items[i % items.length]);
  return into;
};`,
  placed: () => `/** An array with holes: these items at these indices. */
const placed = (length, items, at) => {
  const all = new Array(length);
  for (let i = 0; i < items.length; i++) all[at[i]] = items[i];
  return all;
};`,
  general: () => `/** Numbers in an array that was made for anything. */
const general = (array) => {
  array.push("");
  array.pop();
  return array;
};`,
  doubles: () => `/** Integers in an array that was made for doubles. */
const doubles = (array) => {
  array.push(0.5);
  array.pop();
  return array;
};`,
  sparse: () => `/** Elements in a hash table. */
const sparse = (array) => {
  const { length } = array;
  array[length + 100000] = 0;
  array.length = length;
  return array;
};`,
  fill: () => `/** Adds so many properties, with values like these. */
const fill = (o, count, makers, key) => {
  for (let i = 0, left = count; left > 0; i++) {
    if (Object.hasOwn(o, key(i))) continue;
    o[key(i)] = makers[i % makers.length]();
    left--;
  }
};`,
  map: () => `/** So many entries, the first of them these. */
const map = (size, entries, into = new Map()) => {
  for (let i = 0; i < size; i++) {
    const [key, value] = entries[i % entries.length]();
    into.set(i < entries.length ? key : other(key, i), value);
  }
  return into;
};`,
  set: () => `/** So many members, the first of them these. */
const set = (size, members, into = new Set()) => {
  for (let i = 0; i < size; i++) {
    const member = members[i % members.length]();
    into.add(i < members.length ? member : other(member, i));
  }
  return into;
};`,
  also: () => `const also = (o, change) => {
  change(o);
  return o;
};`,
  slow: () => `/** An object whose keys are looked up: properties were deleted from it. */
const slow = (o) => {
  o.gone = 0;
  o.last = 0;
  delete o.gone;
  delete o.last;
  return o;
};`,
  failed: () => `/** With a stack that is the same everywhere. */
const failed = (error, units) => {
  error.stack = "at work (app.js:1:1) ".repeat(Math.ceil(units / 21) + 1).slice(0, units);
  return error;
};`,
  bytes: () => `const bytes = (base64) => Uint8Array.from(atob(base64), (unit) => unit.charCodeAt(0));`,
  shown: () => `/** A view with this content in what it shows. */
const shown = (view, content) => {
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(content.subarray(0, view.byteLength));
  return view;
};`,
  digits: () => `/** Elements that take so many digits on average. */
const digits = (view, mean) => {
  let written = 0;
  for (let i = 0; i < view.length; i++) {
    const count = Math.max(1, Math.round((i + 1) * mean - written));
    written += count;
    view[i] = count < 4 ? 10 ** (count - 1) : Number((4 / 3).toPrecision(Math.min(17, count - 1)));
  }
  return view;
};`,
} as const satisfies Record<string, (seed: number) => string>;

export type HelperName = keyof typeof HELPERS;
export const HELPER_NAMES = Object.keys(HELPERS) as HelperName[];

/** Helpers that call others. */
export const CALLED: readonly [HelperName, HelperName][] = [
  ['map', 'other'],
  ['set', 'other'],
  ['other', 'named'],
];
