/**
 * Advice beside one busy process for each core, compared with that of a quiet run just before. `ADVICE_GROUP` and `ADVICE_ONLY`
 * as for `advice`; `ADVICE_BUSY=4` busy processes; `CLONE_PROF_DIST=a/dist,b/dist` compares builds.
 */
import { availableParallelism } from 'node:os';
import { decide } from '../../src/stats/evidence.ts';
import { besideBusy } from '../busy.ts';
import type { Row } from '../table.ts';
import { adviceRuns, nameOf } from './advice.ts';
import { type AdviceRun, advisedGain, isOpen } from './one-run.ts';
import { runRow } from './summary.ts';

const PROCESSES = Number(process.env.ADVICE_BUSY ?? availableParallelism());
/** Effects beyond it must be decided, all but two of 24. */
const EFFECT = 1.5;
const OPEN_SHARE = 2 / 24;
const MEAN_SECONDS = 6.5;
/** Of messages up to so long, a run has at least so many turns of the original. */
const [SHORT_MS, TURNS] = [20, 20];

const tripMs = ({ run }: AdviceRun) => (run.measurement?.roundTrip.median ?? 0) / 1e6;

/** The rewrite that the busy run advises is slower in the quiet one, or the reverse. */
function isWrong(quiet: AdviceRun, busy: AdviceRun): boolean {
  return busy.run.trials.some(({ remedy, path, withConversion }) => {
    const same = quiet.run.trials.find((trial) => trial.remedy === remedy && trial.path === path);
    const [one, other] = [decide(withConversion), decide(same?.withConversion ?? null)];
    return (one === 'faster' && other === 'slower') || (one === 'slower' && other === 'faster');
  });
}

function rowsOf(build: string, pairs: readonly [quiet: AdviceRun, busy: AdviceRun][]): Row[] {
  const counted = (what: string, some: readonly AdviceRun[], of: number, budget: number): Row => ({
    ...{ what: `${build}, busy: ${what}`, value: some.length, unit: `of ${of}`, budget },
    held: some.length <= budget,
    note: some.map(({ payload, runtime }) => `${payload} on ${runtime.name}`).join(', '),
  });
  const large = pairs.filter(([quiet]) => (advisedGain(quiet)?.ratio ?? 1) * EFFECT <= 1);
  const short = pairs.filter(([quiet]) => tripMs(quiet) <= SHORT_MS);
  const busyOf = (some: readonly [AdviceRun, AdviceRun][]) => some.map(([, busy]) => busy);
  const seconds = busyOf(pairs).reduce((sum, { wholeMs }) => sum + wholeMs / 1000, 0) / pairs.length;
  return [
    ...busyOf(pairs).map((one) => runRow(`${build}, busy`, one)),
    {
      ...{ what: `${build}, busy: mean of whole runs`, value: seconds, unit: 's', budget: MEAN_SECONDS },
      held: seconds <= MEAN_SECONDS,
    },
    counted(
      'not decided, of effects over 1.5 times',
      busyOf(large).filter(isOpen),
      large.length,
      Math.floor(OPEN_SHARE * large.length),
    ),
    counted('not decided, of all', busyOf(pairs).filter(isOpen), pairs.length, pairs.length),
    counted(
      'a decision that the quiet run contradicts',
      busyOf(pairs.filter(([quiet, busy]) => isWrong(quiet, busy))),
      pairs.length,
      0,
    ),
    counted(
      'under 20 turns of a message of at most 20 ms',
      busyOf(short).filter(({ run }) => (run.measurement?.roundTrip.samples ?? 0) < TURNS),
      short.length,
      0,
    ),
  ];
}

export async function adviceBusy(): Promise<Row[]> {
  const quiet = await adviceRuns();
  const busy = await besideBusy(PROCESSES, () => adviceRuns());
  const builds = [...new Set(quiet.map(({ dist }) => dist))];
  return builds.flatMap((dist) => {
    const pairs = quiet.flatMap((one, i): [AdviceRun, AdviceRun][] =>
      one.dist === dist ? [[one, busy[i]!]] : [],
    );
    return rowsOf(nameOf(dist), pairs);
  });
}
