/** Masks a recorded message: its values and the keys that are data become others of the same class. */
import type { TextNode, ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import type { KeptValues } from '../../../model/recording/recording.ts';
import { isKeyName, maskedKey } from '../../masking.ts';
import { isObject } from '../../value/own-data.ts';
import { type Chance, maskedLeaf, maskedNumber, separateIntegers, tellUnits } from './masks.ts';
import { ITEMS, mapChildren } from './tree-children.ts';

/** Shorter texts are not recorded as equal. */
const REPEATED_UNITS = 64;

/** Masked texts, which are read when all are known: reading flattens ropes. Equal texts stay equal. */
export class MaskedTexts {
  readonly #all: { node: TextNode; text: string }[] = [];

  add(node: TextNode, text: string): void {
    this.#all.push({ node, text });
  }

  /** Adds to each node the units of its text. */
  finish(): void {
    const firsts = new Map<string, TextNode>();
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

/** Masks trees in place. */
export class TreeMask {
  readonly #chance: Chance;
  /** Numbers, dates and bigints stay. */
  readonly #keepsNumbers: boolean;
  readonly #texts: MaskedTexts;

  constructor(values: KeptValues, chance: Chance, texts: MaskedTexts) {
    this.#keepsNumbers = values === 'masked';
    this.#chance = chance;
    this.#texts = texts;
  }

  mask(tree: ValueTree): ValueTree {
    const root = new Place();
    const masked = this.#any(tree, root);
    maskKeys([root]);
    return masked;
  }

  #any(tree: ValueTree, place: Place): ValueTree {
    if (typeof tree === 'number') return this.#keepsNumbers ? tree : maskedNumber(tree, this.#chance);
    if (typeof tree === 'string') return this.#text({ is: 'text', units: tree.length }, tree);
    if (!isObject(tree)) return tree;
    if (tree.is === 'text') return tree.text === undefined ? tree : this.#text(tree, tree.text);
    if (tree.is === 'regexp') return maskedLeaf(tree, this.#chance);
    if (tree.is === 'bigint' || tree.is === 'date')
      return this.#keepsNumbers ? tree : maskedLeaf(tree, this.#chance);
    if ('content' in tree) delete tree.content;
    const masked = mapChildren(tree, (child, step) =>
      this.#any(child, step === null ? place : place.child(step)),
    );
    Object.assign(tree, masked);
    if (tree.is === 'object' || tree.is === 'arguments')
      place.add(tree.entries, tree.of ?? tree.entries.length);
    if (!this.#keepsNumbers && (tree.is === 'map' || tree.is === 'set')) separateIntegers(tree);
    return tree;
  }

  #text(node: TextNode, text: string): TextNode {
    delete node.text;
    this.#texts.add(node, text);
    return node;
  }
}

/** A place of objects in a message: keys that are names are distinguished from data by all objects of a place. */
class Place {
  readonly children = new Map<string, Place>();
  /** Lists of the keys and values of the visited objects there. */
  readonly objects: [key: string, value: ValueTree][][] = [];
  /** Keys of the largest of them. */
  most = 0;

  add(entries: [key: string, value: ValueTree][], size: number): void {
    this.objects.push(entries);
    if (size > this.most) this.most = size;
  }

  child(step: string): Place {
    const child = this.children.get(step) ?? new Place();
    this.children.set(step, child);
    return child;
  }
}

/** If the objects of one place have more different keys, the keys are data. */
export const MAX_NAMED_KEYS = 32;
/** Keys of objects that have hardly any key in common are data too. */
const MAX_TIMES = 2;
const MIN_OBJECTS = 3;

function areData(places: readonly Place[]): boolean {
  let [most, count] = [0, 0];
  for (let p = 0; p < places.length; p++) {
    most = Math.max(most, places[p]!.most);
    count += places[p]!.objects.length;
  }
  const { size } = keysIn(places);
  return size > MAX_NAMED_KEYS || most > MAX_NAMED_KEYS || (count >= MIN_OBJECTS && size > MAX_TIMES * most);
}

/** Puts others of their lengths in the place of keys that are data. */
function maskKeys(places: readonly Place[]): void {
  const known = new Map<string, Place[]>();
  for (let p = 0; p < places.length; p++)
    places[p]!.children.forEach((child, key) => {
      const same = known.get(key);
      if (same === undefined) known.set(key, [child]);
      else same.push(child);
    });
  const isMap = areData(places);
  for (let p = 0; p < places.length; p++) {
    const { objects } = places[p]!;
    for (let i = 0; i < objects.length; i++) maskEntries(objects[i]!, isMap);
  }
  const below: Place[] = [];
  known.forEach((same, key) => {
    if (key === ITEMS || (!isMap && isKeyName(key))) maskKeys(same);
    else for (let i = 0; i < same.length; i++) below.push(same[i]!);
  });
  if (below.length > 0) maskKeys(below);
}

function keysIn(places: readonly Place[]): Set<string> {
  const keys = new Set<string>();
  for (let p = 0; p < places.length; p++) {
    const { objects } = places[p]!;
    for (let i = 0; i < objects.length; i++)
      for (let k = 0; k < objects[i]!.length; k++) keys.add(objects[i]![k]![0]);
  }
  return keys;
}

function maskEntries(entries: [key: string, value: ValueTree][], isMap: boolean): void {
  for (let k = 0; k < entries.length; k++) {
    const entry = entries[k]!;
    if (isMap || !isKeyName(entry[0])) entry[0] = maskedKey(entry[0], k);
  }
}
