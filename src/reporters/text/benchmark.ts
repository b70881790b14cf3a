/**
 * Figures in the JSON format of github-action-benchmark and compatible services ("customSmallerIsBetter"): a list of
 * names and values, which they store for each commit.
 */
import { carries } from '../../core/evidence.ts';
import type { CheckReport } from '../../model/documents/check.ts';
import type { Report, Run } from '../../model/documents/report.ts';
import { runtimeWord } from '../../model/names.ts';
import { copiedBytes } from '../../model/report/runs.ts';
import { groupedBy } from './groups.ts';
import { escapedJson } from './json.ts';

interface Figure {
  name: string;
  unit: 'B' | 'ns';
  value: number;
  range?: string;
  extra?: string;
}

/** A figure of one payload at one place, whose name is not decided yet. */
type Measured = Omit<Figure, 'name'> & Record<'payload' | 'runtime' | 'channel' | 'figure', string>;

export const reportBenchmark = ({ payloads }: Report): string =>
  namedFigures(payloads.flatMap(({ id, runs }) => runs.flatMap((run) => figuresOfRun(id, run))));

/** Figures of a check lack times: a check compares two round trips of one run, and stores neither. */
export const checkBenchmark = ({ compared = [] }: CheckReport): string =>
  namedFigures(
    compared.flatMap(({ payload, runtime, channel, now }): Measured[] => {
      if (now === null || now.bytes === null) return [];
      const extra = `${now.class}, ${now.path}`;
      return [{ payload, runtime, channel, figure: 'bytes', unit: 'B', value: now.bytes, extra }];
    }),
  );

function figuresOfRun(payload: string, run: Run): Measured[] {
  const { channel, verdict, measurement } = run;
  const copied = copiedBytes(run);
  const runtime = `${runtimeWord(run.runtime)}@${run.runtime.version}`;
  const place = { payload, channel, runtime };
  const extra = verdict ? { extra: `${verdict.class}, ${verdict.path}` } : {};
  const figures: Measured[] = [];
  if (copied !== null) figures.push({ ...place, figure: 'bytes', unit: 'B', value: copied, ...extra });
  if (measurement && carries(measurement.roundTrip, 'size')) {
    const { median, ci } = measurement.roundTrip;
    const timed = { unit: 'ns', value: Math.round(median), range: ci.map(Math.round).join(' to ') } as const;
    figures.push({ ...place, figure: 'round trip', ...timed, ...extra });
  }
  return figures;
}

/** Names by major version, so a patch release continues the line, unless a run has several versions of it. */
function namedFigures(all: readonly Measured[]): string {
  const nameOf = ({ payload, channel, figure }: Measured, runtime: string) =>
    [payload, runtime, ...(channel === 'worker' ? [] : [channel]), figure].join(' · ');
  const shortName = (one: Measured) => nameOf(one, majorOf(one.runtime));
  const alike = new Map(groupedBy(all, shortName));
  return escapedJson(
    all.map((one): Figure => {
      const { payload: _, runtime, channel: __, figure: ___, ...value } = one;
      const name = shortName(one);
      return { name: alike.get(name)?.length === 1 ? name : nameOf(one, runtime), ...value };
    }),
  );
}

/** "node@24" for "node@24.21.0" */
const majorOf = (runtime: string): string => /^[^@]*@\d+/.exec(runtime)?.[0] ?? runtime;
