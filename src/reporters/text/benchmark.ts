/**
 * Figures in the JSON format of github-action-benchmark and compatible services ("customSmallerIsBetter"): a list of
 * names and values, which they store for each commit.
 */
import { carries } from '../../core/evidence.ts';
import type { CheckReport } from '../../model/documents/check.ts';
import type { Report, Run } from '../../model/documents/report.ts';
import { runtimeWord } from '../../model/names.ts';
import { copiedBytes } from '../../model/report/runs.ts';
import { escapedJson } from './json.ts';

interface Figure {
  name: string;
  unit: 'B' | 'ns';
  value: number;
  range?: string;
  extra?: string;
}

interface Place {
  payload: string;
  /** "node@24.21.0" */
  runtime: string;
  channel: string;
}

interface Measured extends Place {
  figure: 'bytes' | 'round trip';
  value: Omit<Figure, 'name'>;
}

export const reportBenchmark = ({ payloads }: Report): string =>
  escapedJson(namedFigures(payloads.flatMap(({ id, runs }) => runs.flatMap((run) => figuresOfRun(id, run)))));

/** Figures of a check lack times: a check compares two round trips of one run, and stores neither. */
export const checkBenchmark = ({ compared = [] }: CheckReport): string =>
  escapedJson(
    namedFigures(
      compared.flatMap(({ payload, runtime, channel, now }): Measured[] => {
        if (now === null || now.bytes === null) return [];
        const value = { unit: 'B', value: now.bytes, extra: `${now.class}, ${now.path}` } as const;
        return [{ payload, runtime, channel, figure: 'bytes', value }];
      }),
    ),
  );

function figuresOfRun(payload: string, run: Run): Measured[] {
  const { channel, verdict, measurement } = run;
  const copied = copiedBytes(run);
  const place: Place = { payload, channel, runtime: `${runtimeWord(run.runtime)}@${run.runtime.version}` };
  const extra = verdict ? { extra: `${verdict.class}, ${verdict.path}` } : {};
  const figures: Measured[] = [];
  if (copied !== null)
    figures.push({ ...place, figure: 'bytes', value: { unit: 'B', value: copied, ...extra } });
  if (measurement && carries(measurement.roundTrip, 'size')) {
    const { median, ci } = measurement.roundTrip;
    const range = ci.map(Math.round).join(' to ');
    figures.push({
      ...place,
      figure: 'round trip',
      value: { unit: 'ns', value: Math.round(median), range, ...extra },
    });
  }
  return figures;
}

/** Names by major version, so a patch release continues the line, unless a run has several versions of it. */
function namedFigures(all: readonly Measured[]): Figure[] {
  const nameOf = ({ payload, channel, figure }: Measured, runtime: string) =>
    [payload, runtime, ...(channel === 'worker' ? [] : [channel]), figure].join(' · ');
  const shortNames = all.map((one) => nameOf(one, majorOf(one.runtime)));
  const counts = new Map<string, number>();
  for (const name of shortNames) counts.set(name, (counts.get(name) ?? 0) + 1);
  return all.map((one, at) => {
    const name = shortNames[at]!;
    return { name: counts.get(name) === 1 ? name : nameOf(one, one.runtime), ...one.value };
  });
}

/** "node@24" for "node@24.21.0" */
const majorOf = (runtime: string): string => /^[^@]*@\d+/.exec(runtime)?.[0] ?? runtime;
