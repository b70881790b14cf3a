/** Masks recorded messages: values, and keys that are data, become others of the same class and size in every format. */
import type * as trees from '../../model/documents/recorded/value-tree.ts';
import type { KeptValues } from '../../model/recording/recording.ts';
import { groupedBy } from '../../model/sums.ts';
import { type Random, seeded } from '../../stats/intervals/random.ts';
import { flatMap, map } from '../../value/read/lists.ts';
import { isObject } from '../../value/read/own-data.ts';
import { readParts } from '../../value/read/spread.ts';
import { isKeyName, maskedKey } from '../../value/shape/masking.ts';
import { bigintIn, ITEMS, mapChildren } from './tree-children.ts';

/** Engines keep it as an integer of 32 bits. */
const isSmall = (value: number): boolean => value === (value | 0) && !(value === 0 && 1 / value < 0);

/** It runs in programs that may have replaced Math.random. */
export type Chance = Random;

export function chanceFrom(seed: string): Chance {
  let state = 0x9e3779b9;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x85ebca6b);
  return seeded(state);
}

const between = (low: number, high: number, chance: Chance): number =>
  low + Math.floor(chance() * (high - low + 1));

/** An integer with the same number of digits, and of seven-bit bytes once its sign is the lowest bit. */
function integerLike(value: number, pick: (low: number, high: number, from: number) => number): number {
  if (value < 0) return -1 - pick(...magnitudes(-1 - value, 1), -1 - value);
  // Engines have a separate tag for 0 and for 1.
  return value < 2 ? pick(0, 1, value) : pick(...magnitudes(value, 0), value);
}

/** From each limit on an integer takes one more byte, or is not a small integer any more: in browsers, or anywhere. */
const LIMITS = [2 ** 6, 2 ** 13, 2 ** 20, 2 ** 27, 2 ** 30, 2 ** 31];

/** @param less the number is written larger by this, and negative */
function magnitudes(value: number, less: number): [low: number, high: number] {
  const digits = String(value + less).length;
  let low = digits === 1 ? (less === 1 ? 0 : 2) : 10 ** (digits - 1) - less;
  let high = 10 ** digits - 1 - less;
  for (let i = 0; i < LIMITS.length; i++) {
    const limit = LIMITS[i]!;
    if (value >= limit) low = Math.max(low, limit);
    else high = Math.min(high, limit - 1);
  }
  return [low, high];
}

/** Changes each digit, the first and last one not to zero: the number of digits and the size stay the same. */
function maskedDigits(text: string, chance: Chance): string {
  let masked = '';
  for (let i = 0; i < text.length; i++) {
    const unit = text[i]!;
    const isDigit = unit >= '0' && unit <= '9';
    // An exponent and leading zeros say how large it is.
    if (unit === 'e') return masked + text.slice(i);
    const isLeading = unit === '0' && Number(masked === '' || masked === '-' ? 0 : masked) === 0;
    masked += isDigit && !isLeading ? String(between(1, 9, chance)) : unit;
  }
  return masked;
}

function maskedNumber(value: number, chance: Chance): number {
  if (isSmall(value)) return integerLike(value, (low, high) => between(low, high, chance));
  const masked = Number(maskedDigits(String(value), chance));
  // The largest numbers would overflow.
  return masked - masked === 0 && !isSmall(masked) ? masked : value > 0 ? 1e300 : -1e300;
}

/** Members of a Set and keys of a Map that are integers stay different: equal ones would be a single one. */
function separateIntegers(node: trees.MapNode | trees.SetNode): void {
  const latest = new Map<number, number>();
  const other = (member: trees.ValueTree): trees.ValueTree => {
    if (typeof member !== 'number' || !isSmall(member)) return member;
    const least = integerLike(member, (low) => low);
    const before = latest.get(least);
    const next = (low: number, high: number, from: number) => (from === high ? low : from + 1);
    const one = before === undefined ? member : integerLike(before, next);
    latest.set(least, one);
    return one;
  };
  if (node.is === 'set') for (let i = 0; i < node.items.length; i++) node.items[i] = other(node.items[i]!);
  else for (let i = 0; i < node.entries.length; i++) node.entries[i]![0] = other(node.entries[i]![0]);
}

/** A bigint of as many bits: engines write 64 in a word, and tell whether the sign fits into it. */
function maskedBigint(value: bigint, chance: Chance): bigint {
  const bits = (value < 0n ? -value : value).toString(2).length - 1;
  const size = 2n ** BigInt(bits) + BigInt(between(0, 2 ** Math.min(bits, 30) - 1, chance));
  return value < 0n ? -size : size;
}

const FOUR_DIGITS = { from: -62_167_219_200_000, to: 253_402_300_800_000 };

function maskedDate(ms: number, chance: Chance): number {
  const isUsual = ms >= FOUR_DIGITS.from && ms < FOUR_DIGITS.to;
  return isUsual ? between(1.4e12, 1.8e12, chance) : between(3e14, 4e14, chance);
}

const TEXT_PARTS = { most: 1 << 16, parts: 32, units: 1 << 10 };

/** Writes the numbers of its kinds of units into the node of a masked text. After the post: reading flattens ropes. */
function tellUnits(node: trees.TextNode, text: string): void {
  const { length } = text;
  const all: trees.TextUnits = [0, 0, 0, 0, 0, 0];
  const read = readParts(length, TEXT_PARTS, (from, to) => countUnits(text, from, to, all));
  let beyond = 0;
  for (let i = 0; i < all.length; i++) {
    if (read < length) all[i] = Math.round((all[i]! * length) / read);
    beyond += all[i]!;
  }
  if (beyond > 0) node.beyond = all;
}

function countUnits(text: string, from: number, to: number, all: trees.TextUnits): void {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x20 && code < 0x80 && code !== 0x22 && code !== 0x5c) continue;
    const kind = kindOf(code);
    all[kind] = all[kind]! + 1;
  }
}

/** \b, \t, \n, \f, \r */
const isShort = (code: number): boolean => code >= 8 && code <= 13 && code !== 11;

function kindOf(code: number): number {
  if (code >= 0x80) return code < 0x100 ? 0 : code < 0x800 ? 1 : code < 0xd800 || code > 0xdfff ? 2 : 3;
  return code >= 0x20 || isShort(code) ? 4 : 5;
}

const REPEATED_UNITS = 64;

/** Masked texts, which are read when all are known: reading flattens ropes. Equal texts stay equal. */
export class MaskedTexts {
  readonly #all: { node: trees.TextNode; text: string }[] = [];

  add(node: trees.TextNode, text: string): trees.TextNode {
    delete node.text;
    this.#all.push({ node, text });
    return node;
  }

  finish(): void {
    const firsts = new Map<string, trees.TextNode>();
    let likes = 0;
    for (let i = 0; i < this.#all.length; i++) {
      const { node, text } = this.#all[i]!;
      tellUnits(node, text);
      if (text.length < REPEATED_UNITS) continue;
      const first = firsts.get(text);
      if (first === undefined) firsts.set(text, node);
      else {
        first.like ??= likes++;
        node.like = first.like;
      }
    }
    this.#all.length = 0;
  }
}

/** A place of objects in a message: keys that are names are distinguished from data by all objects of a place. */
class Place {
  readonly objects: trees.ObjectNode[] = [];
  readonly children = new Map<string, Place>();

  child(step: string): Place {
    const child = this.children.get(step) ?? new Place();
    this.children.set(step, child);
    return child;
  }
}

export function maskTree(root: trees.ValueTree, values: KeptValues, chance: Chance, texts: MaskedTexts) {
  const keepsNumbers = values === 'masked';
  const masked = (tree: trees.ValueTree, place: Place): trees.ValueTree => {
    if (typeof tree === 'number') return keepsNumbers ? tree : maskedNumber(tree, chance);
    if (typeof tree === 'string') return texts.add({ is: 'text', units: tree.length }, tree);
    if (!isObject(tree)) return tree;
    if (tree.is === 'text') return tree.text === undefined ? tree : texts.add(tree, tree.text);
    if (tree.is === 'regexp') return { ...tree, source: 'x'.repeat(tree.source.length) };
    if (tree.is === 'bigint')
      return keepsNumbers ? tree : { ...tree, bigint: String(maskedBigint(bigintIn(tree.bigint), chance)) };
    if (tree.is === 'date')
      return keepsNumbers || tree.date === null ? tree : { ...tree, date: maskedDate(tree.date, chance) };
    if ('content' in tree) delete tree.content;
    const below = (step: string | null) => (step === null ? place : place.child(step));
    const inner = mapChildren(tree, (child, step) => masked(child, below(step)));
    Object.assign(tree, inner);
    if (tree.is === 'object' || tree.is === 'arguments') place.objects.push(tree);
    if (!keepsNumbers && (tree.is === 'map' || tree.is === 'set')) separateIntegers(tree);
    return tree;
  };
  const place = new Place();
  const tree = masked(root, place);
  maskKeys([place]);
  return tree;
}

/** If the objects of one place have more different keys, the keys are data. */
export const MAX_NAMED_KEYS = 32;
/** Keys of objects that have hardly any key in common are data too. */
const MAX_TIMES = 2;
const MIN_OBJECTS = 3;

function areData(objects: readonly trees.ObjectNode[]): boolean {
  const keys = new Set<string>();
  let most = 0;
  for (let i = 0; i < objects.length; i++) {
    const { entries, of = entries.length } = objects[i]!;
    most = Math.max(most, of);
    for (let k = 0; k < entries.length; k++) keys.add(entries[k]![0]);
  }
  const { size } = keys;
  const areFew = objects.length < MIN_OBJECTS || size <= MAX_TIMES * most;
  return size > MAX_NAMED_KEYS || most > MAX_NAMED_KEYS || !areFew;
}

/** Puts others of their lengths in the place of keys that are data. @param places that their objects tell together */
function maskKeys(places: readonly Place[]): void {
  const objects = flatMap(places, (place) => place.objects);
  const isMap = areData(objects);
  const isName = (step: string) => step === ITEMS || (!isMap && isKeyName(step));
  for (let i = 0; i < objects.length; i++)
    objects[i]!.entries.forEach((entry, k) => {
      if (!isName(entry[0])) entry[0] = maskedKey(entry[0], k);
    });
  const children = flatMap(places, (place) => [...place.children]);
  groupedBy(children, ([step]) => (isName(step) ? step : '')).forEach((same) => {
    maskKeys(map(same, ([, child]) => child));
  });
}
