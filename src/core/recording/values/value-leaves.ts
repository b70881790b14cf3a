/** Values without children as data, by internal slots as they were when this was loaded: the program may change the rest. */
import type { ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import type { Kind } from '../../../model/vocabulary/shape.ts';
import { builtInName } from '../../value/built-in-names.ts';
import { callOn, DATE, getterOf, viewRange, viewType } from '../../value/intrinsics.ts';
import { map } from '../../value/lists.ts';

const Bytes = Uint8Array;
const { getPrototypeOf } = Reflect;
const regexpSource = getterOf(RegExp.prototype, 'source')!;
/** Not the getter `flags`: it asks properties that the program may have changed. */
const FLAGS = map(
  ['hasIndices', 'global', 'ignoreCase', 'multiline', 'dotAll', 'unicode', 'unicodeSets', 'sticky'],
  (name) => getterOf(RegExp.prototype, name),
);
const LETTERS = 'dgimsuvy';

export function dateOf(value: object): ValueTree {
  const time = callOn(DATE.getTime, value) as number;
  return { date: time - time === 0 ? time : null };
}

export function regexpOf(value: object, mask: boolean): ValueTree {
  let flags = '';
  for (let i = 0; i < FLAGS.length; i++)
    if (FLAGS[i] !== undefined && callOn(FLAGS[i]!, value) === true) flags += LETTERS[i]!;
  return { regexp: [mask ? 'x' : String(callOn(regexpSource, value)), flags] };
}

/** Name of the nearest class that has one. */
export function errorName(value: object, isProxy: (value: object) => boolean): string {
  for (let at: object | null = value; at !== null && !isProxy(at); at = getPrototypeOf(at)) {
    const name = builtInName(at, isProxy);
    if (name !== undefined) return name;
  }
  return 'Error';
}

/** How much of a buffer is kept, and whether its bytes are; null where there is no room. */
type Keep = (bytes: Uint8Array) => string | null;

/** A buffer or view; null for other kinds, `{ left }` for what does not fit. */
export function memoryOf(kind: Kind, value: object, isBuffer: boolean, keep: Keep): ValueTree | null {
  if (kind === 'arraybuffer' || kind === 'sharedarraybuffer') {
    const buffer = keep(bytesView(value as ArrayBuffer));
    if (buffer === null) return TOO_LARGE;
    return kind === 'arraybuffer' ? { buffer } : { buffer, shared: true };
  }
  if (kind !== 'typedarray' && kind !== 'dataview') return null;
  try {
    const { buffer, offset, bytes } = viewRange(value);
    const whole = bytesView(buffer);
    const view = keep(whole.length < offset + bytes ? new Bytes(0) : new Bytes(buffer, offset, bytes));
    const type = isBuffer ? 'Buffer' : viewType(value as ArrayBufferView);
    return view === null ? TOO_LARGE : { view, type, backing: whole.length, offset };
  } catch {
    return { left: 'a view that is out of bounds' };
  }
}

/** None of a detached buffer. */
function bytesView(buffer: ArrayBufferLike): Uint8Array {
  try {
    return new Bytes(buffer);
  } catch {
    return new Bytes(0);
  }
}

export const TOO_LARGE: ValueTree = { left: 'too large' };

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Without functions of the platform, which the program may have replaced. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const three = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += DIGITS[three >> 18]! + DIGITS[(three >> 12) & 63]!;
    text += i + 1 < bytes.length ? DIGITS[(three >> 6) & 63]! : '=';
    text += i + 2 < bytes.length ? DIGITS[three & 63]! : '=';
  }
  return text;
}
