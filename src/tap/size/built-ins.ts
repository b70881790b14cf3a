/** Sizes of what is neither a plain object nor a container, as V8 writes it. */
import { callOn, getterOf, unboxed } from '../../core/value/intrinsics.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { dataOf } from '../realm/intrinsics.ts';
import { bigintBytes, DOUBLE, TAG, varint } from './wire-format.ts';

/** It has no size: it is refused, written by the platform, or only code of the program's tells it. */
export const UNKNOWN = Symbol();

/** Stacks are made when they are read, by code of the program's perhaps. */
const USUAL_STACK = 500;
const ERROR_TAGS = 6;
const SHARED_ID = 1;
const FLAGS = 1;

const sourceOf = getterOf(RegExp.prototype, 'source')!;

interface BuiltInBytes {
  bytes: number;
  /** Serializing it runs no code of the program's. */
  isSafe: boolean;
  /** How much of it is a guess. */
  guessed?: number;
}

function boxedBytes(value: unknown): number {
  if (typeof value === 'string') return 2 * TAG + varint(value.length) + value.length;
  if (typeof value === 'bigint') return bigintBytes(value);
  return typeof value === 'number' ? DOUBLE : TAG;
}

function errorBytes(error: object): BuiltInBytes {
  const message = dataOf(error, 'message');
  const stack = dataOf(error, 'stack');
  const units = (text: unknown, usual: number) => (typeof text === 'string' ? text.length : usual);
  const [said, at] = [units(message, 0), units(stack, USUAL_STACK)];
  const bytes = ERROR_TAGS + varint(said) + said + varint(at) + at;
  return { bytes, isSafe: false, guessed: typeof stack === 'string' ? 0 : USUAL_STACK };
}

/** @throws UNKNOWN */
export function builtInBytes(value: object): BuiltInBytes {
  const { kind } = typeDetection().of(value);
  if (kind === 'date') return { bytes: DOUBLE, isSafe: true };
  if (kind === 'boxed') return { bytes: boxedBytes(unboxed(value)), isSafe: true };
  if (kind === 'error') return errorBytes(value);
  if (kind !== 'regexp') throw UNKNOWN;
  const { length } = callOn(sourceOf, value) as string;
  return { bytes: 2 * TAG + varint(length) + length + FLAGS, isSafe: true };
}

export const sharedBufferBytes = TAG + SHARED_ID;
