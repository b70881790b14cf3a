import type { Channel, RuntimeName } from '../names.ts';
import type { PlatformClassName } from '../vocabulary/platform-classes.ts';

/**
 * Outcomes of posting an object:
 * - cloned: a copy of it arrives
 * - moved: it arrives if it is in the transfer list, and the sender loses it
 * - refused: the post throws, whether it is listed or not
 * - emptied: {} arrives
 * - lost: the call does not throw, but instead of the message the receiver gets null, or an event 'messageerror'
 * - apart: two references to one object arrive as two objects
 * - other-class: it arrives as an object of a different class
 */
export const POST_OUTCOMES = [
  'cloned',
  'moved',
  'refused',
  'emptied',
  'lost',
  'apart',
  'other-class',
] as const;
export type PostOutcome = (typeof POST_OUTCOMES)[number];

/** Outcome in some versions over some channels. */
export interface PlatformPost {
  /** Absent: all versions. */
  versions?: string;
  /** Absent: all channels. */
  channels?: readonly Channel[];
  /** Empty: not tested. */
  as: readonly PostOutcome[];
}

/**
 * The first row that fits holds; if none fits, it was not tested. A runtime without an entry lacks the class, as does
 * one with rows of stores alone.
 */
export type PlatformPosts = Partial<Readonly<Record<RuntimeName, readonly PlatformPost[]>>>;

export type PlatformTable = Readonly<Record<PlatformClassName, PlatformPosts>>;
