/** The next states of a value, from the recorded places and amount of its changes. */

import { flatMap } from '../../value/read/lists.ts';
import { isObject } from '../../value/read/own-data.ts';
import { type PathStep, parsePath } from '../../value/read/paths.ts';
import { childrenAt } from '../../value/read/walk.ts';

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

interface Changing {
  equal: number;
  paths: readonly string[];
}

/** Changes leaves at the paths, at each step as many as make up the share that is not equal. Step 0 changes nothing. */
export function changeAt(value: unknown, { equal, paths }: Changing, step: number): unknown {
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
