import type { Channel, RuntimeName } from '../names.ts';
import type { PlatformClassName } from '../vocabulary/platform-classes.ts';

/**
 * What becomes of an object that is posted:
 * - cloned: a copy of it arrives
 * - moved: it arrives where it is in the transfer list, and the sender loses it
 * - refused: the post throws, whether it is listed or not
 * - emptied: {} arrives
 * - lost: the call does not throw, and of the whole message nothing arrives but null, or an event 'messageerror'
 * - apart: two references to one object arrive as two objects
 * - other-class: it arrives as another class
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

/** One row: in these versions, over these channels. */
export interface PlatformPost {
  /** Absent: all. */
  versions?: string;
  /** Absent: all within a process. */
  channels?: readonly Channel[];
  as: readonly PostOutcome[];
}

/** The first row that fits holds; none: it was not seen. A runtime that is not named has no such class. */
export type PlatformPosts = Partial<Readonly<Record<RuntimeName, readonly PlatformPost[]>>>;

export type PlatformTable = Readonly<Record<PlatformClassName, PlatformPosts>>;
