/** A value as data: what a recording keeps of a message, and what a fixture is written from. It is read, never run. */

/** JSON values stand for themselves; all else is an object with the one key that names it. */
export type ValueTree =
  | null
  | boolean
  | number
  | string
  | { undefined: true }
  /** NaN, Infinity, -Infinity, -0 */
  | { number: string }
  | { bigint: string }
  | { object: [key: string, value: ValueTree][]; prototype?: 'null' | 'other' }
  /** A hole is null in `holes`' place: its indices. */
  | { array: ValueTree[]; holes?: number[] }
  | { date: number | null }
  | { regexp: [source: string, flags: string] }
  | { map: [ValueTree, ValueTree][] }
  | { set: ValueTree[] }
  | { error: [name: string, message: string] }
  | { boxed: ValueTree }
  /** Base64 of the whole buffer. */
  | { buffer: string; shared?: boolean }
  /** On a buffer of its own of `backing` bytes. */
  | { view: string; type: string; backing: number; offset: number }
  /** Seen before in the same tree: by the order in which containers were first met. */
  | { same: number }
  /** What cannot be kept: too large, too deep, or of the platform. */
  | { left: string };
