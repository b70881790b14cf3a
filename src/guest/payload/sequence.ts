import type { Recipe } from '../../model/report/recipe.ts';
import { changeAt } from '../../record/module/changed-value.ts';
import { isPlainRecord, setOwn } from '../../value/copy/copies.ts';
import { isObject } from '../../value/read/own-data.ts';
import { buildPayload } from './materialize.ts';

const MADE = 8;

/**
 * The payloads of a recipe's sequence in their order, without envelopes; the recipe's payload alone without a sequence.
 * Equal parts are the same object in all payloads, as in a program that changes its state: new objects would be in no
 * cache. @throws as `buildPayload`
 */
export async function buildSequence({ sequence, ...recipe }: Recipe): Promise<unknown[]> {
  const values: unknown[] = [];
  const add = (value: unknown) => values.push(sharing(values.at(-1), value));
  const { build } = recipe;
  if (sequence !== undefined && 'lines' in sequence && build.form === 'ndjson') {
    for (const line of sequence.lines)
      add((await buildPayload({ ...recipe, build: { ...build, ...line } })).value);
    return values;
  }
  const steps = sequence === undefined || 'lines' in sequence ? 1 : MADE;
  for (let step = 0; step < steps; step++) {
    const { value } = await buildPayload(recipe);
    add(sequence && 'paths' in sequence ? changeAt(value, sequence, step) : value);
  }
  return values;
}

const isContainer = (value: unknown): value is object =>
  isObject(value) && (Array.isArray(value) || isPlainRecord(value));

/**
 * The next value, or the one before if that is equal; the same for parts. Changes the next one. `made`: replacements of
 * its objects, which may stand at several places, or in themselves.
 */
function sharing(before: unknown, next: unknown, made: Map<object, unknown> = new Map()): unknown {
  if (Object.is(before, next)) return before;
  if (!isContainer(before) || !isContainer(next)) return next;
  if (made.has(next)) return made.get(next);
  made.set(next, next);
  const [keys, known] = [Object.keys(next), Object.keys(before)];
  let isSame = Object.getPrototypeOf(next) === Object.getPrototypeOf(before) && keys.length === known.length;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    const old: unknown = Object.hasOwn(before, key) ? Reflect.get(before, key) : undefined;
    const value: unknown = Reflect.get(next, key);
    const shared = sharing(old, value, made);
    if (shared !== value || typeof value === 'string') setOwn(next, key, shared);
    isSame &&= key === known[at] && Object.is(shared, old);
  }
  const one = isSame && Reflect.get(before, 'length') === Reflect.get(next, 'length') ? before : next;
  made.set(next, one);
  return one;
}

/** Indices of a sequence of this length, there and back: each step is a step of the sequence. */
export function nextIn(length: number, at: number): { index: number; at: number } {
  const way = Math.max(1, 2 * (length - 1));
  const index = at < length ? at : way - at;
  return { index, at: (at + 1) % way };
}
