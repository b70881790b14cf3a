import type { ComparedRun, RunComparison, TrialComparison } from '../../model/documents/comparison.ts';
import type { Run } from '../../model/documents/report.ts';
import { CHANGES, type Change } from '../../model/vocabulary/comparison.ts';

export const comparedRun = ({ verdict, shape, advice, measurement, ...run }: Run): ComparedRun => ({
  runtime: run.runtime,
  status: run.status,
  error: run.error,
  verdict: verdict && { class: verdict.class, path: verdict.path },
  shape: shape && { nodes: shape.nodes, depth: shape.depth, jsonBytes: shape.jsonBytes },
  wireBytes: run.wireBytes,
  advice: advice && {
    ...{ action: advice.action, remedy: advice.remedy, path: advice.path, gain: advice.gain },
  },
  roundTrip: measurement && { median: measurement.roundTrip.median, ci: measurement.roundTrip.ci },
});

type RunSides = Pick<RunComparison, 'before' | 'now' | 'came' | 'went' | 'trials'>;

/** What is compared of one side; null where it is not known. */
const FACTS: Partial<Record<Change, (run: ComparedRun) => unknown>> = {
  runtime: ({ runtime }) => runtime.version,
  status: ({ status }) => status,
  class: ({ verdict }) => verdict?.class ?? null,
  path: ({ verdict }) => verdict?.path ?? null,
  values: ({ shape }) => shape?.nodes ?? null,
  depth: ({ shape }) => shape?.depth ?? null,
  'json-bytes': ({ shape }) => shape?.jsonBytes ?? null,
  'wire-bytes': ({ wireBytes }) => wireBytes,
  advice: ({ advice }) => advice && JSON.stringify([advice.action, advice.remedy, advice.path]),
};

/** None where one side does not have the run: there is nothing to compare then. */
export function changesOf({ before, now, came, went, trials }: RunSides): Change[] {
  if (before === null || now === null) return [];
  return CHANGES.filter((name) => {
    if (name === 'findings') return came.length + went.length > 0;
    if (name === 'rewrites') return trials.some(isChanged);
    const [was, is] = [FACTS[name]?.(before) ?? null, FACTS[name]?.(now) ?? null];
    return was !== null && is !== null && was !== is;
  });
}

/** A rewrite that only one side tried is no change of the rewrite. */
const isChanged = ({ before, now, withConversion, inPlace }: TrialComparison): boolean =>
  [withConversion, inPlace].some((change) => change === 'lower' || change === 'higher') ||
  (before !== null && now !== null && before.equality !== now.equality);
