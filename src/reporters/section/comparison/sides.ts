/** Both sides of a run in one text: "serialized → in-memory". */

import type { ComparedReport, ComparedRun, RunComparison } from '../../../model/documents/comparison.ts';
import { type Channel, runtimeWord } from '../../../model/names.ts';
import { medianText, speed } from '../../text/numbers.ts';
import { known } from '../model/columns.ts';
import { code, type Sentence } from '../model/sentence.ts';
import { SHORT_ADVICE } from '../model/texts.ts';

/** One text where both are the same; a dash where a side has none. */
export const fromTo = (before: string, now: string, between = ' → '): string =>
  before === now ? now : `${before || '–'}${between}${now || '–'}`;

/** Pairs the runs of both sides; a run that one side does not have gets a text of its own. */
export function bothSides(
  { before, now }: Pick<RunComparison, 'before' | 'now'>,
  textOf: (run: ComparedRun) => string,
  between?: string,
): string {
  if (before === null || now === null) return known(now ?? before, textOf);
  return fromTo(textOf(before), textOf(now), between);
}

export function runtimeText({ channel, ...sides }: RunComparison): string {
  const word = known(sides.now ?? sides.before, ({ runtime }) => runtimeWord(runtime));
  return `${word} ${bothSides(sides, ({ runtime }) => runtime.version)}${overChannel(channel)}`;
}

export const classText = ({ verdict, status }: ComparedRun): string => verdict?.class ?? status;
export const timeText = ({ roundTrip }: ComparedRun): string => known(roundTrip, medianText);

export function adviceText({ advice }: ComparedRun): string {
  if (advice === null) return '';
  const { action, remedy, path, gain } = advice;
  if (action !== 'apply') return SHORT_ADVICE[action];
  const where = path === null || path === '$' ? '' : ` at ${path}`;
  return `${remedy ?? SHORT_ADVICE.apply}${where}${gain === null ? '' : `: ${speed(gain)}`}`;
}

export type Reports = readonly ComparedReport[];

/** " in now.json", where there are several to compare with. */
export const inFile = ({ report }: { report: number }, reports: Reports): Sentence =>
  reports.length > 2 ? [' in ', code(reports[report]?.file ?? '')] : [];

export const overChannel = (channel: Channel): string => (channel === 'worker' ? '' : ` over ${channel}`);

export const sideName = (at: number, { length }: readonly unknown[]): string =>
  at === 0 ? 'before' : length === 2 ? 'now' : `now ${at}`;
