/** Size of a message as JSON text. */
import { quoted } from '../realm/intrinsics.ts';
import type { TypeTests } from '../realm/platform.ts';
import { type Counted, countedBy } from './counted.ts';
import { JsonSizer } from './json-sizer.ts';

/** @param listsViews as `JsonSizer` has it @returns null for what has no size */
export const countedText = (
  value: unknown,
  types: TypeTests,
  nodes: number,
  listsViews: boolean,
): Omit<Counted, 'content'> | null => countedBy(new JsonSizer(types, listsViews), value, nodes, 0);

/** The text itself, of a value in which the sizer found nothing that would run; null where it cannot be made. */
export function textOf(value: unknown): string | null {
  try {
    return quoted(value as string);
  } catch {
    return null;
  }
}
