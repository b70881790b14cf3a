/**
 * Code that needs no function: one expression at a path of plain keys, for which any other value at that path throws or
 * arrives equal. Plans for it have a field `inline`. What is proven, timed and emitted are the functions, which do the same
 * and take values of any other form too.
 */
import { parsePath } from '../../core/paths.ts';
import type { PatternRows } from '../facts/shape-index.ts';
import { member, propertyName } from './javascript.ts';
import type { RemedyCode } from './remedy-from-code.ts';

/** Longer paths and more of them are easier to read as functions. */
const MAX_KEYS = 3;

/** Only plain keys lead to it. In an object literal `__proto__` would set the prototype. */
export const hasPlainKeys = ({ steps }: PatternRows): boolean =>
  steps.every((step) => step.type === 'key' && step.key !== '__proto__');

/** Exactly one value is there, in one row, and an expression can name it. */
export const isInline = (at: PatternRows): boolean =>
  at.count === 1 && at.rows.length === 1 && at.steps.length <= MAX_KEYS && hasPlainKeys(at);

/** @throws TypeError for a path that `isInline` excludes */
export function plainKeys(path: string): string[] {
  return parsePath(path)!.map((step) => {
    if (step.type === 'key' && step.key !== '__proto__') return step.key;
    throw new TypeError(`${path} does not lead to one value`);
  });
}

/** `payload.image.data` */
export const readAt = (from: string, keys: readonly string[]): string => from + keys.map(member).join('');

/** `{ ...payload, data: payload.data.slice() }`: a copy of what is on the way, with another value at the path. */
export function replacedAt(path: string, change: (expression: string) => string, from = 'payload'): string {
  return replaced(from, plainKeys(path), change);
}

function replaced(from: string, keys: readonly string[], change: (expression: string) => string): string {
  const [key, ...below] = keys;
  if (key === undefined) return change(from);
  return `{ ...${from}, ${propertyName(key)}: ${replaced(from + member(key), below, change)} }`;
}

/** Expressions of `payload`; the receiver gets an equal value as it is. */
interface InlineCode {
  message: string;
  /** Transfer list for what is posted, whatever its name is there: `[message.data.buffer]`. */
  transferList?: (message: string) => string;
}

/** For `RemedyCode.inline`. */
export const inlineCode = ({ message, transferList }: InlineCode): NonNullable<RemedyCode['inline']> => ({
  message,
  transferList: transferList?.(message === 'payload' ? 'payload' : 'message') ?? null,
});
