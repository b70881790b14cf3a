/** Both sides of a run in one text: "serialized → in-memory". */

import type { ComparedRun, RunComparison } from '../../../model/documents/comparison.ts';
import { runtimeWord } from '../../../model/names.ts';
import { bytes, speed, time } from '../../text/numbers.ts';
import { known } from '../model/columns.ts';
import { SHORT_ADVICE } from '../model/texts.ts';

/** One text where both are the same; a dash where a side has none. */
export const fromTo = (before: string, now: string, between = ' → '): string =>
  before === now ? now : `${before || '–'}${between}${now || '–'}`;

type ShownSides = Pick<RunComparison, 'before' | 'now'>;

/** Pairs the runs of both sides; a run that one side does not have gets a text of its own. */
export function bothSides(
  { before, now }: ShownSides,
  textOf: (run: ComparedRun) => string,
  between?: string,
): string {
  if (before === null || now === null) return known(now ?? before, textOf);
  return fromTo(textOf(before), textOf(now), between);
}

/** "node 20.20.2 → 24.21.0 over ipc" */
export function runtimeText({ channel, ...sides }: RunComparison): string {
  const word = known(sides.now ?? sides.before, ({ runtime }) => runtimeWord(runtime));
  const over = channel === 'worker' ? '' : ` over ${channel}`;
  return `${word} ${bothSides(sides, ({ runtime }) => runtime.version)}${over}`;
}

export const classText = ({ verdict, status }: ComparedRun): string => verdict?.class ?? status;
export const pathText = ({ verdict }: ComparedRun): string => verdict?.path ?? '';
export const wireText = ({ wireBytes }: ComparedRun): string => known(wireBytes, bytes);
export const timeText = ({ roundTrip }: ComparedRun): string =>
  known(roundTrip, ({ median }) => time(median));

/** "columns at $.rows: 2.4x faster", "no rewrite" */
export function adviceText({ advice }: ComparedRun): string {
  if (advice === null) return '';
  const { action, remedy, path, gain } = advice;
  if (action !== 'apply') return SHORT_ADVICE[action];
  const where = path === null || path === '$' ? '' : ` at ${path}`;
  return `${remedy ?? SHORT_ADVICE.apply}${where}${gain === null ? '' : `: ${speed(gain)}`}`;
}

/** "before", "now"; of several "now 1", "now 2" */
export const sideName = (at: number, { length }: readonly unknown[]): string =>
  at === 0 ? 'before' : length === 2 ? 'now' : `now ${at}`;
