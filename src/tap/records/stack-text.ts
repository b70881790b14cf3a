/** Stacks as text, as V8 writes them. */
import { create, indexOf, slice } from '../realm/intrinsics.ts';

const { captureStackTrace } = Error;

/**
 * Without our lines, and with as many more at the end: the engine had cut the stack at its limit.
 *
 * @param own is in each line of ours @param patch the function of the recorder that the program called
 */
export function withoutOwn(text: string, own: string, patch: unknown): string {
  let kept = '';
  let removed = 0;
  let after = 0;
  for (let from = 0; from <= text.length; ) {
    const end = indexOf(text, '\n', from);
    const line = end < 0 ? slice(text, from) : slice(text, from, end);
    if (indexOf(line, own) >= 0) {
      removed++;
      after = 0;
    } else {
      kept += from === 0 ? line : `\n${line}`;
      after++;
    }
    from = end < 0 ? text.length + 1 : end + 1;
  }
  return kept + linesAbove(patch, after, removed);
}

/** Lines of the program's stack: `count` after the first `skipped`. */
function linesAbove(patch: unknown, skipped: number, count: number): string {
  const holder = create(null) as { stack: string };
  captureStackTrace(holder, patch as () => void);
  const { stack } = holder;
  let from = indexOf(stack, '\n');
  for (let i = 0; i < skipped && from >= 0; i++) from = indexOf(stack, '\n', from + 1);
  if (from < 0) return '';
  let to = from;
  for (let i = 0; i < count && to >= 0; i++) to = indexOf(stack, '\n', to + 1);
  return to < 0 ? slice(stack, from) : slice(stack, from, to);
}
