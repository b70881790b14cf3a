/** Values of a program in its recording, where they are kept. */
import * as s from '../../schema.ts';

const whole = s.whole();

/** JSON values stand for themselves; all else is an object with the one key that names it. It is read, never run. */
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

const pair = <T extends s.Schema>(one: T) => s.tuple([one, one]);

/** Recursive, so that its type cannot be inferred. Lines are refused before when they are nested too deeply. */
export const valueTreeSchema: s.Schema<ValueTree> = s.described(
  s.lazy(() => {
    const tree = valueTreeSchema;
    return s.union([
      s.nothing(),
      s.boolean(),
      s.number(),
      s.string(),
      s.object({ undefined: s.literal(true) }),
      s.object({ number: s.string() }),
      s.object({ bigint: s.string() }),
      s.object({
        object: s.list(s.tuple([s.string(), tree])),
        prototype: s.optional(s.oneOf(['null', 'other'])),
      }),
      s.object({ array: s.list(tree), holes: s.optional(s.list(whole)) }),
      s.object({ date: s.nullable(s.number()) }),
      s.object({ regexp: pair(s.string()) }),
      s.object({ map: s.list(pair(tree)) }),
      s.object({ set: s.list(tree) }),
      s.object({ error: pair(s.string()) }),
      s.object({ boxed: tree }),
      s.object({ buffer: s.string(), shared: s.optional(s.boolean()) }),
      s.object({ view: s.string(), type: s.string(), backing: whole, offset: whole }),
      s.object({ same: whole }),
      s.object({ left: s.string() }),
    ]);
  }),
  { id: 'ValueTree', description: 'A value as data.' },
);
