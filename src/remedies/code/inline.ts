/**
 * Code that does not need a function: one expression at a path of plain keys. For any other value at the path it either
 * throws or gives an equal result. Plans for it have a field `inline`. Proofs, timing and modules use functions
 * instead, which do the same and accept values of any form.
 */
import { parsePath } from '../../core/paths.ts';
import type { PatternRows } from '../facts/shape-index.ts';
import { member, propertyName } from './javascript.ts';
import type { RemedyCode } from './remedy-from-code.ts';

/** Maximum path length and number of paths; beyond it, functions are easier to read. */
const MAX_KEYS = 3;

/** True if all steps are plain keys. `__proto__` is excluded: in an object literal it would set the prototype. */
export const hasPlainKeys = ({ steps }: PatternRows): boolean =>
  steps.every((step) => step.type === 'key' && step.key !== '__proto__');

/** True if exactly one value is at the path, in one row, and an expression can name it. */
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

/** `{ ...payload, data: payload.data.slice() }`: copies the containers on the path, with a new value at its end. */
export function replacedAt(path: string, change: (expression: string) => string, from = 'payload'): string {
  return replaced(from, plainKeys(path), change);
}

function replaced(from: string, keys: readonly string[], change: (expression: string) => string): string {
  const [key, ...below] = keys;
  if (key === undefined) return change(from);
  return `{ ...${from}, ${propertyName(key)}: ${replaced(from + member(key), below, change)} }`;
}

/** Expressions of `payload`, for receivers that get an equal value without restoring it. */
interface InlineCode {
  message: string;
  /** Transfer list, given the name of the posted value: `[message.data.buffer]`. */
  transferList?: (message: string) => string;
}

/** Inline code in the form of `RemedyCode.inline`. */
export const inlineCode = ({ message, transferList }: InlineCode): NonNullable<RemedyCode['inline']> => ({
  message,
  transferList: transferList?.(message === 'payload' ? 'payload' : 'message') ?? null,
});
