import { runningProbe, unaskedProbe } from '../../engines/probe/probe.ts';
import { typeDetection } from '../../engines/probe/type-detection.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel } from '../../model/names.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import type { DescribeRequest } from '../../model/wire/wire.ts';
import { inEnvelope } from '../../record/envelopes/envelopes.ts';
import { median } from '../../stats/intervals/intervals.ts';
import { scaled } from '../../sweep/scale.ts';
import { compare } from '../../value/compare/compare.ts';
import { deepCopy, isPlainRecord, setOwn } from '../../value/copy/copies.ts';
import { describe } from '../../value/describe/describe.ts';
import { flatMap } from '../../value/read/lists.ts';
import { isObject } from '../../value/read/own-data.ts';
import { type PathStep, parsePath } from '../../value/read/paths.ts';
import { childrenAt } from '../../value/read/walk.ts';
import { otherThan, type ValueFacts, valueFacts } from '../../value/shape/shape-facts.ts';
import { now } from '../platform/common/clock.ts';
import { currentPlatform } from '../platform/common/platform.ts';
import { type Built, moduleValue, readTransferList } from './module.ts';
import { decoded, parseJsonFile } from './text-files.ts';

async function unscaled({ build: form, source }: Recipe): Promise<Built> {
  if (form.form === 'module') return moduleValue(form);
  const isLine = form.form === 'ndjson';
  const range = isLine ? ([form.offset, form.offset + form.length - 1] as const) : undefined;
  const bytes = await currentPlatform().sources.bytes({ file: form.file, name: source.file }, range);
  if (form.form === 'bytes') return { value: bytes, how: 'parsed' };
  const start = { file: source.file, ...(isLine && { line: form.line }) };
  const text = decoded(bytes, start);
  return { value: form.form === 'text' ? text : parseJsonFile(text, start), how: 'parsed' };
}

/** Copies a value that one evaluation of a module gives only once. Parts without separate buffers are shared with it. */
export const copied = (value: unknown): unknown => deepCopy(value, { types: typeDetection() });

/** Builds a new value without the envelope of a library. @throws ToolError of the file, the module or the factory */
export async function buildPayload(recipe: Recipe): Promise<Built> {
  const original = await unscaled(recipe);
  // The parts that are not scaled are shared with the unscaled value, which has no other user.
  const built: Built = recipe.scale
    ? { value: scaled(original.value, recipe.scale, typeDetection()), how: 'built' }
    : original;
  const list = await readTransferList(recipe);
  return list === null ? built : { ...built, transfer: list(built.value) };
}

/** The message that is posted: the user's value, in the envelope of its library. @throws as `buildPayload` */
export async function build(recipe: Recipe): Promise<Built> {
  const built = await buildPayload(recipe);
  return recipe.via ? { ...built, value: inEnvelope(recipe.via, built.value) } : built;
}

/**
 * A value as a program posts it: engines store the first values of a factory differently (V8 the very first,
 * JavaScriptCore the first two instances of a class that it defines).
 */
export async function laterBuild(recipe: Recipe, of: typeof build = build): Promise<Built> {
  let built = await of(recipe);
  const more = built.how === 'built' ? (runningProbe().firstBuilds ?? 1) : 0;
  for (let build = 0; build < more; build++) built = await of(recipe);
  return built;
}

/** A factory may give the same value a few times in a row. */
const MAX_BUILDS = 16;
const MAX_NS = 1e9;

/** Path at which builds differ, by a counter, a clock or random numbers; null if none was seen. @throws as `build` */
export async function varyingPath(recipe: Recipe): Promise<string | null> {
  const began = now();
  const { value: first } = await build(recipe);
  for (let builds = 1; builds < MAX_BUILDS && now() - began < MAX_NS; builds++) {
    const [loss] = compare(first, (await build(recipe)).value);
    if (loss) return loss.path;
  }
  return null;
}

const READ_BUILDS = 7;
const MAX_READ_NS = 300e6;

/** Time for reading canvases back in a build, ns; null if it reads none. @throws as `build` */
export async function timeReadBack(recipe: Recipe): Promise<number | null> {
  const { watchReadBack } = currentPlatform();
  if (watchReadBack === undefined || !isModule(recipe)) return null;
  const times: number[] = [];
  for (const began = now(); times.length < READ_BUILDS && now() - began < MAX_READ_NS; ) {
    const watch = watchReadBack();
    await build(recipe).finally(watch.stop);
    const { count, ns } = watch.stop();
    if (count === 0) return null;
    times.push(ns);
  }
  return Math.round(median(times));
}

/** Number of evaluations of a payload that is not a factory: each evaluation may be slow. */
const EVALUATIONS = 2;

/** "331 values, not 2"; null for a value with these facts. */
async function otherFacts(value: unknown, expected: ValueFacts, channel?: Channel): Promise<string | null> {
  const shape = describe(value, await unaskedProbe(), channel && { channel });
  return otherThan(expected, valueFacts(shape));
}

/** Builds again: "called again it gives 331 values, not 2". Null if the facts stay. @throws ToolError of the build */
export async function varyingFacts(
  { recipe, channel }: Pick<DescribeRequest, 'recipe' | 'channel'>,
  expected: ValueFacts,
  calls: number,
): Promise<string | null> {
  for (let call = 1; call <= calls; call++) {
    const { value, how } = await build(recipe);
    const other = await otherFacts(value, expected, channel);
    if (other !== null) return `called again it gives ${other}`;
    if (how !== 'built' && call === EVALUATIONS) break;
  }
  return null;
}

/** @throws ToolError 'measure-failed' if the facts of the value differ from the recipe's facts */
export async function assertFacts({ facts }: Recipe, value: unknown): Promise<void> {
  const other = facts === undefined ? null : await otherFacts(value, facts);
  if (other === null) return;
  const detail = `the module makes another value while it is measured (${other}): read files beside it, by import.meta.dirname`;
  throw new ToolError('measure-failed', { detail });
}

/** Number of values that are made of one recorded value. */
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

/** Changes `next`. @param made replacements of its objects, which may stand at several places, or in themselves */
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

// The next states of a value, from the recorded places and amount of its changes.

interface Leaf {
  owner: object;
  key: string;
  value: unknown;
}

/** About the bytes that parts are weighed by when they are recorded. */
const weightOf = ({ key, value, owner }: Leaf): number =>
  (Array.isArray(owner) ? 0 : key.length + 2) + (typeof value === 'string' ? value.length + 2 : 6);

/** @param seen objects that stand at several places, or in themselves, are looked through once */
function leavesIn(owner: object, key: string, seen: Set<object>): Leaf[] {
  const value: unknown = Reflect.get(owner, key);
  if (!isObject(value)) return [{ owner, key, value }];
  if (seen.has(value)) return [];
  seen.add(value);
  return flatMap(Object.keys(value), (inner) => leavesIn(value, inner, seen));
}

function leavesAt(owner: object, key: string, steps: readonly PathStep[], seen: Set<object>): Leaf[] {
  const [step, ...others] = steps;
  if (step === undefined) return leavesIn(owner, key, seen);
  const value: unknown = Reflect.get(owner, key);
  const inner = isObject(value) ? [...childrenAt(value, step)] : [];
  return flatMap(inner, ([at]) => leavesAt(value as object, String(at), others, seen));
}

function altered(value: unknown, times: number): unknown {
  if (typeof value === 'number') return value + times * (Number.isInteger(value) ? 1 : 0.5);
  if (typeof value === 'bigint') return value + BigInt(times);
  if (typeof value === 'boolean') return times % 2 === 0 ? value : !value;
  if (typeof value === 'string') {
    const end = times.toString(36);
    return value.length > end.length ? value.slice(0, -end.length) + end : end;
  }
  return value;
}

/** Changes leaves at the paths, at each step as many as make up the share that is not equal. Step 0 changes nothing. */
function changeAt(
  value: unknown,
  { equal, paths }: Extract<Recipe['sequence'], { paths: unknown }>,
  step: number,
): unknown {
  const root = { $: value };
  const sum = (leaves: readonly Leaf[]) => leaves.reduce((total, leaf) => total + weightOf(leaf), 0);
  const leaves = flatMap(paths, (path) => leavesAt(root, '$', parsePath(path) ?? [], new Set()));
  const wanted = Math.max(1, (1 - equal) * sum(leavesIn(root, '$', new Set())));
  const oneOf = Math.max(1, Math.min(leaves.length, Math.round(sum(leaves) / wanted)));
  for (let at = 0; at < leaves.length; at++) {
    const { owner, key, value: before } = leaves[at]!;
    const times = Math.floor((step + (at % oneOf)) / oneOf);
    if (times > 0) Reflect.set(owner, key, altered(before, times));
  }
  return root.$;
}
