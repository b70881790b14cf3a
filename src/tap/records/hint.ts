/**
 * A cheap size that every message has: bytes are estimated from it by regression. Where a message is an object, the places
 * that may vary in size are found once for its class and then read in each message, by descriptors.
 */

import { byteLength, dataOf, isArray, isView, keys } from '../realm/intrinsics.ts';
import { canBeRead, type TypeTests } from '../realm/platform.ts';

/** Where size varies, and bytes of a unit there. */
interface SizedField {
  path: readonly string[];
  unit: number;
}
export type HintPlan = readonly SizedField[];

const MAX_PLACES = 6;
const MAX_DEPTH = 3;
const MAX_KEYS = 16;
const LEAF = 8;

/** For the messages that have the class of this one. */
export function sizedFields(value: unknown, types: TypeTests): HintPlan {
  const found: SizedField[] = [];
  collect(value, [], found, types);
  return found;
}

export function estimateSize(value: unknown, plan: HintPlan, types: TypeTests): number {
  let sum = 1;
  for (let i = 0; i < plan.length; i++) {
    const { path, unit } = plan[i]!;
    let at = value;
    for (let step = 0; step < path.length; step++)
      at = canBeRead(at, types) ? dataOf(at, path[step]!) : undefined;
    sum += units(at, types) * unit;
  }
  return sum;
}

/** Length of a text or an array, bytes of a buffer or what a view copies. */
function units(value: unknown, types: TypeTests): number {
  if (typeof value === 'string') return value.length;
  if (!canBeRead(value, types)) return 0;
  if (isArray(value)) return value.length;
  return isBinary(value, types) ? byteLength(value) : 0;
}

const isBinary = (value: object, types: TypeTests): boolean => isView(value) || types.isAnyArrayBuffer(value);

function collect(value: unknown, path: readonly string[], found: SizedField[], types: TypeTests): void {
  if (found.length === MAX_PLACES) return;
  if (typeof value === 'string') found[found.length] = { path, unit: 1 };
  if (!canBeRead(value, types)) return;
  // A tuple, as libraries post it; its indices are keys too.
  let hasFields = isArray(value) && value.length <= LEAF;
  if (isArray(value)) {
    // Bytes of an element, by the first one.
    const rough = value.length === 0 ? 0 : roughSize(dataOf(value, '0'), 0, types);
    found[found.length] = { path, unit: LEAF + rough };
  } else if (isBinary(value, types)) found[found.length] = { path, unit: 1 };
  else hasFields = true;
  if (!hasFields || path.length >= MAX_DEPTH) return;
  const names = keys(value);
  for (let i = 0; i < names.length && i < MAX_KEYS; i++)
    collect(dataOf(value, names[i]!), joined(path, names[i]!), found, types);
}

function roughSize(value: unknown, depth: number, types: TypeTests): number {
  if (!canBeRead(value, types) || depth === MAX_DEPTH) return units(value, types);
  if (!isArray(value) && isBinary(value, types)) return units(value, types);
  const names = isArray(value) ? ['0'] : keys(value);
  const times = isArray(value) ? value.length : 1;
  let sum = 0;
  for (let i = 0; i < names.length && i < MAX_KEYS; i++)
    sum += LEAF + roughSize(dataOf(value, names[i]!), depth + 1, types);
  return sum * times;
}

function joined(path: readonly string[], key: string): string[] {
  const longer: string[] = [];
  for (let i = 0; i < path.length; i++) longer[i] = path[i]!;
  longer[path.length] = key;
  return longer;
}
