/** What an object holds in internal slots, or in properties that stand for them. */
import type { TrailStep } from '../paths.ts';
import { readLength } from '../value/array-reads.ts';
import {
  accepts,
  callOn,
  DATE,
  getterOf,
  isResizable,
  type Method,
  TYPED_ARRAY,
  unboxed,
  viewRange,
  viewType,
} from '../value/intrinsics.ts';
import { flatMap } from '../value/lists.ts';
import { isObject, ownData, ownStack } from '../value/own-data.ts';
import { platformClass } from '../value/platform-class.ts';
import type { ReportLoss } from './properties.ts';
import { type ComparedType, exactType, primitiveDifference } from './value-type.ts';

/** Reports two values that differ, as that of a slot or of the property at `step`. */
function reportChange(
  report: ReportLoss,
  before: unknown,
  after: unknown,
  slot = '',
  step?: TrailStep,
): void {
  if (Object.is(before, after)) return;
  report('value', slot + primitiveDifference(before, after, exactType(before), exactType(after)), step);
}

function bytesLosses(a: Uint8Array, b: Uint8Array, size: number, report: ReportLoss): void {
  if (a.length !== b.length) report('value', `${a.length} bytes became ${b.length}`);
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    if (a[i] === b[i]) continue;
    if (size === 0) report('value', `content changed at byte ${i}`);
    else report('value', 'content changed', Math.floor(i / size));
    return;
  }
}

function resizing(a: object, b: object, report: ReportLoss): void {
  const before = isResizable(a);
  if (before !== isResizable(b))
    report('value', before ? 'resizable became fixed' : 'fixed became resizable');
}

/** The size of the buffer behind a view is not compared. */
function viewLosses(a: ArrayBufferView, b: ArrayBufferView, report: ReportLoss): void {
  if (viewType(a) !== viewType(b)) {
    report('value', `${viewType(a)} became ${viewType(b)}`);
    return;
  }
  const [left, right] = [viewRange(a), viewRange(b)];
  const [memoryA, memoryB] = [exactType(left.buffer), exactType(right.buffer)];
  if (memoryA !== memoryB) report('value', primitiveDifference(left.buffer, right.buffer, memoryA, memoryB));
  resizing(left.buffer, right.buffer, report);
  const length = viewType(a) === 'DataView' ? left.bytes : (callOn(TYPED_ARRAY.length, a) as number);
  bytesLosses(
    new Uint8Array(left.buffer, left.offset, left.bytes),
    new Uint8Array(right.buffer, right.offset, right.bytes),
    left.bytes / length,
    report,
  );
}

/** Engines send the text of both; a stack of another type is dropped or becomes text. */
function errorLosses(a: object, b: object, report: ReportLoss): void {
  const isPlatform = platformClass(a) !== undefined;
  if (!isPlatform) messageLosses(a, b, report);
  const stack = ownStack(a);
  if (typeof stack === 'string' || isPlatform) {
    if (Object.hasOwn(a, 'stack') && !Object.hasOwn(b, 'stack'))
      report('property', `${typeof stack} became absent`, 'stack');
  } else if (stack !== undefined) reportChange(report, stack, ownStack(b), '', 'stack');
}

function messageLosses(a: object, b: object, report: ReportLoss): void {
  const message = Object.getOwnPropertyDescriptor(a, 'message');
  if (message !== undefined && !('value' in message)) {
    if (!Object.hasOwn(b, 'message')) report('property', 'getter became absent', 'message');
  } else if (message !== undefined) reportChange(report, message.value, ownData(b, 'message'), '', 'message');
}

/** Undefined for an object that was only given the prototype. */
const readState = (value: object, getter: Method | undefined): unknown =>
  getter !== undefined && accepts(getter, value) ? callOn(getter, value) : undefined;

/** By the getters of the platform. */
function platformLosses(a: object, b: object, report: ReportLoss, above = ''): void {
  const [before, after] = [platformClass(a), platformClass(b)];
  if (before === undefined || after === undefined) return;
  for (const [name, getter] of before.state) {
    const [left, right] = [readState(a, getter), readState(b, after.state.get(name))];
    if (ArrayBuffer.isView(left) && ArrayBuffer.isView(right)) viewLosses(left, right, report);
    // A point of a DOMQuad.
    else if (isObject(left) && isObject(right)) platformLosses(left, right, report, `${above}${name}.`);
    else reportChange(report, left, right, `${above}${name}: `);
  }
}

export function slotLosses(a: object, b: object, type: ComparedType, report: ReportLoss): void {
  if (type === 'view') viewLosses(a as ArrayBufferView, b as ArrayBufferView, report);
  else if (type === 'arraybuffer' || type === 'sharedarraybuffer') {
    bytesLosses(new Uint8Array(a as ArrayBufferLike), new Uint8Array(b as ArrayBufferLike), 0, report);
    resizing(a, b, report);
  } else if (type === 'date') {
    reportChange(report, callOn(DATE.getTime, a), callOn(DATE.getTime, b), 'time ');
  } else if (type === 'regexp') regexpLosses(a, b, report);
  else if (type === 'boxed') reportChange(report, unboxed(a), unboxed(b), 'boxed ');
  else if (type === 'array')
    reportChange(report, readLength(a as unknown[]), readLength(b as unknown[]), 'length ');
  else {
    if (type === 'error') errorLosses(a, b, report);
    platformLosses(a, b, report);
  }
}

/** An older engine has no `unicodeSets`. */
const PATTERN_GETTERS: readonly Method[] = flatMap(
  [
    ...['source', 'hasIndices', 'global', 'ignoreCase', 'multiline'],
    ...['dotAll', 'sticky', 'unicode', 'unicodeSets'],
  ],
  (name) => getterOf(RegExp.prototype, name) ?? [],
);

function regexpLosses(a: object, b: object, report: ReportLoss): void {
  for (const getter of PATTERN_GETTERS) {
    if (callOn(getter, a) === callOn(getter, b)) continue;
    report('value', 'pattern or flags changed');
    break;
  }
  reportChange(report, ownData(a, 'lastIndex'), ownData(b, 'lastIndex'), '', 'lastIndex');
}
