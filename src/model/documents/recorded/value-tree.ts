/** Values of a program in its recording, where they are kept. */
import * as z from 'zod';

const whole = z.int().min(0);

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

const pair = <T extends z.ZodType>(one: T) => z.tuple([one, one]);

/** Recursive, so that its type cannot be inferred. Lines are refused before when they are nested too deeply. */
export const valueTreeSchema: z.ZodType<ValueTree> = z
  .lazy(() => {
    const tree = valueTreeSchema;
    return z.union([
      z.null(),
      z.boolean(),
      z.number(),
      z.string(),
      z.object({ undefined: z.literal(true) }),
      z.object({ number: z.string() }),
      z.object({ bigint: z.string() }),
      z.object({
        object: z.array(z.tuple([z.string(), tree])),
        prototype: z.exactOptional(z.enum(['null', 'other'])),
      }),
      z.object({ array: z.array(tree), holes: z.exactOptional(z.array(whole)) }),
      z.object({ date: z.number().nullable() }),
      z.object({ regexp: pair(z.string()) }),
      z.object({ map: z.array(pair(tree)) }),
      z.object({ set: z.array(tree) }),
      z.object({ error: pair(z.string()) }),
      z.object({ boxed: tree }),
      z.object({ buffer: z.string(), shared: z.exactOptional(z.boolean()) }),
      z.object({ view: z.string(), type: z.string(), backing: whole, offset: whole }),
      z.object({ same: whole }),
      z.object({ left: z.string() }),
    ]);
  })
  .meta({ id: 'ValueTree', description: 'A value as data.' });
