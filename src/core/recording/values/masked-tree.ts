/** Masks a recorded message: its values and the keys that are data become others of the same class. */
import type { ObjectNode, TextNode, ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import type { KeptValues } from '../../../model/recording/recording.ts';
import { isKeyName, maskedKey } from '../../masking.ts';
import { groupedBy } from '../../sums.ts';
import { flatMap, map } from '../../value/lists.ts';
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
    if (tree.is === 'object' || tree.is === 'arguments') place.objects.push(tree);
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
  readonly objects: ObjectNode[] = [];
  readonly children = new Map<string, Place>();

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

function areData(objects: readonly ObjectNode[]): boolean {
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
