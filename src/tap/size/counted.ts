/** Size of a message by its parts, or by some of them. */
import { ContentHash } from '../records/hash.ts';
import { UNKNOWN } from './built-ins.ts';
import type { SizeEngine } from './scalars.ts';
import { Sizer } from './sizer.ts';
import type { Tally } from './tally.ts';

export interface Counted {
  bytes: number;
  /** Half width of the 95 % interval, as a share. */
  error: number;
  /** All was visited. */
  isWhole: boolean;
  /** Serializing what was visited runs nothing of the program's. */
  isSafe: boolean;
  visited: number;
  /** Hash of all content, where it was asked for. */
  content: string | null;
  /** Parts that stand for others, and the bytes that were counted for them. */
  pieces: { values: readonly unknown[]; bytes: number };
}

const NORMAL_95 = 1.96;
/** Half width, as a share, of what is a guess. */
const GUESS_ERROR = 0.6;
/** Of objects that are shared as those that were met again, but were met once. */
const SHARED_ERROR = 3;
/** Of each sample within a sample within more than are usual: in a tree or a graph some say little of the others. */
const LEVEL_ERROR = 0.25;
const SURE_LEVELS = 4;
/** Engines may store numbers and texts in ways that cannot be seen. */
export const UNSEEN_ERROR = 0.002;

/** Half width of an interval that says nothing: where objects refer to each other everywhere, some say nothing of others. */
const UNTRUSTED = 1;
/** Then more values are visited, where they were many already. */
const LEAST_FOR_MORE = 1000;
const MORE = 12;
const MOST = 12_000;

/** @param nodes about how many values may be visited @param salt of the hash; null: none is made @returns null for what has no size */
export function counted(
  value: unknown,
  engine: SizeEngine,
  nodes: number,
  salt: string | null,
): Counted | null {
  const hash = salt === null ? null : new ContentHash(salt);
  const sizer = new Sizer(engine, hash);
  const all = countedBy(sizer, value, nodes, UNSEEN_ERROR);
  const isHashed = hash !== null && sizer.isWhole && sizer.isHashed;
  return all && { ...all, content: isHashed ? hash.text : null };
}

/** @param unseen half width of what cannot be seen, as a share */
export function countedBy(
  sizer: Tally & { message(value: unknown, nodes: number): void },
  value: unknown,
  nodes: number,
  unseen: number,
): Omit<Counted, 'content'> | null {
  try {
    sizer.message(value, nodes);
  } catch (thrown) {
    if (thrown !== UNKNOWN) throw thrown;
    return null;
  }
  const { bytes, variance, isWhole, isSafe, visited, guessed, shared, siblings, levels, pieces } = sizer;
  const errors = [
    (NORMAL_95 * Math.sqrt(variance)) / bytes,
    (GUESS_ERROR * guessed) / bytes,
    isWhole ? 0 : (SHARED_ERROR * shared) / visited,
    isWhole ? 0 : siblings,
    Math.max(0, LEVEL_ERROR * (levels - SURE_LEVELS)),
    unseen,
  ];
  return { bytes: Math.round(bytes), error: Math.hypot(...errors), isWhole, isSafe, visited, pieces };
}

/** What can be trusted, if need be by visiting more. */
export function trusted<T extends Pick<Counted, 'error' | 'visited'>>(
  count: (nodes: number) => T | null,
  nodes: number,
): T | null {
  const first = count(nodes);
  if (first === null || first.error < UNTRUSTED) return first;
  const last = nodes < LEAST_FOR_MORE ? null : count(Math.min(MOST, MORE * nodes));
  if (last === null || last.error >= UNTRUSTED) return null;
  return { ...last, visited: first.visited + last.visited };
}
