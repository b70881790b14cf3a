import type { Words } from '../../model/look.ts';
import type { PayloadReport, Run } from '../../model/report.ts';
import { time, timeInterval } from '../numbers.ts';
import { adviceDiffers, fastestFirst, specOf } from '../runs.ts';
import { adviceWords } from '../words.ts';
import { indented, wrapped } from './layout.ts';
import type { Pen } from './pen.ts';
import { table } from './table.ts';
import { verdictHead } from './verdict.ts';

/** All runs of a payload in one table, fastest first, and whether their advice differs. */
export function comparisonLines(payload: PayloadReport, words: Words, pen: Pen): string[] {
  const runs = fastestFirst(payload.runs);
  const channels = new Set(runs.map(({ channel }) => channel));
  const grid = table(
    [
      { head: 'runtime', cells: runs.map((run) => pen.text(specOf(run))) },
      { head: 'channel', cells: channels.size > 1 ? runs.map(({ channel }) => channel) : [], rank: 4 },
      { head: 'verdict', cells: runs.map((run) => verdictCell(run, pen)) },
      { head: 'round trip', cells: runs.map((run) => pen.text(roundTripOf(run))), align: 'right' },
      {
        head: '95 % interval',
        cells: runs.map(({ measurement }) =>
          pen.text(measurement ? timeInterval(measurement.roundTrip.ci) : ''),
        ),
        align: 'right',
        rank: 1,
      },
      { head: 'do', cells: runs.map((run) => pen.text(adviceWords(run, words)?.short ?? '')), rank: 2 },
    ],
    pen.columns - 2,
    pen,
  );
  const differs = adviceDiffers(payload);
  const note = differs === null ? [] : wrapped(pen.text(`The advice differs: ${differs}.`), pen.columns - 2);
  return [...indented(grid), ...indented(note)];
}

function verdictCell(run: Run, pen: Pen): string {
  const head = verdictHead(run, pen);
  return run.verdict?.confirmed === false ? `${head} ${pen.paint.alarm('denied')}` : head;
}

const roundTripOf = ({ measurement }: Run): string =>
  measurement === null ? '' : time(measurement.roundTrip.median);
