import { callOn, MAP, SET } from '../value/intrinsics.ts';
import { type ChildPairs, PropertyComparison, type ReportLoss } from './properties.ts';
import { slotLosses } from './slots.ts';
import type { ComparedValueType } from './value-type.ts';

const PARTS = { map: ['key', 'value'], set: ['member'] } as const;

/** Members of a Set; each key of a Map followed by its value, in the order in which a walk visits them. */
function membersOf(collection: object, type: 'map' | 'set'): unknown[] {
  const members: unknown[] = [];
  if (type === 'set') callOn(SET.forEach, collection, (member: unknown) => members.push(member));
  else callOn(MAP.forEach, collection, (value: unknown, key: unknown) => members.push(key, value));
  return members;
}

/** Entries in insertion order: Map and Set promise that order, and clones keep it. */
function collectionPairs(a: object, b: object, type: 'map' | 'set', report: ReportLoss): ChildPairs {
  const pairs = new PropertyComparison(a, b, type, report).compare();
  const parts = PARTS[type];
  const left = membersOf(a, type);
  const right = membersOf(b, type);
  if (left.length !== right.length)
    report('value', `${left.length / parts.length} entries became ${right.length / parts.length}`);
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    pairs.steps.push({ part: parts[i % parts.length]!, index: Math.floor(i / parts.length) });
    pairs.left.push(left[i]);
    pairs.right.push(right[i]);
  }
  return pairs;
}

/** Reports what differs in the values themselves; returns the children to compare, null where there are none. */
export function childPairs(
  a: object,
  b: object,
  type: ComparedValueType,
  report: ReportLoss,
): ChildPairs | null {
  if (type === 'function') return null;
  if (type === 'map' || type === 'set') return collectionPairs(a, b, type, report);
  slotLosses(a, b, type, report);
  return new PropertyComparison(a, b, type, report).compare();
}
