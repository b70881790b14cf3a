/** Before and now, of each payload on each runtime: with --base. Nothing is escaped yet. */
import type { ComparedFacts, Comparison } from '../../model/documents/check.ts';
import { bytes, changeText, count, measuredChange } from '../text/numbers.ts';

/** What a reader compares, in this order. */
export interface ComparedCells {
  class: string;
  bytes: string;
  values: string;
  time: string;
}

export const hasChanged = ({ before, now, time }: Comparison): boolean =>
  time !== undefined || JSON.stringify(before) !== JSON.stringify(now);

/** "5.20 kB -> 104 kB, +1,900 %"; a value that did not change stands alone. */
export function comparedCells({ before, now, time }: Comparison): ComparedCells {
  const pair = (of: (facts: ComparedFacts) => string) => fromTo(before && of(before), now && of(now));
  return {
    class: pair(({ class: name }) => name),
    bytes: withChange(
      pair(({ bytes: size }) => (size === null ? '' : bytes(size))),
      before?.bytes,
      now?.bytes,
    ),
    values: withChange(
      pair(({ nodes }) => count(nodes)),
      before?.nodes,
      now?.nodes,
    ),
    time: time ? measuredChange(time.change, time) : '',
  };
}

function fromTo(before: string | null, now: string | null): string {
  if (before === null) return `new: ${now}`;
  if (now === null) return `was ${before}`;
  return before === now ? now : `${before} -> ${now}`;
}

function withChange(text: string, before: number | null | undefined, now: number | null | undefined): string {
  return before && now && before !== now ? `${text}, ${changeText(now / before)}` : text;
}

/** "serialized; 5.20 kB -> 104 kB, +1,900 %; values: 7 -> 9, +29 %; time: +20 % (95 %: +15 % to +26 %)" */
export function comparedText(comparison: Comparison): string {
  if (comparison.now === null) return 'no longer checked';
  const { class: name, bytes: size, values, time } = comparedCells(comparison);
  return [name, size, `values: ${values}`, time && `time: ${time}`].filter((text) => text !== '').join('; ');
}
