import { type RecordedFacts, updatedBaseline } from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import { checkAbsoluteFacts } from '../../core/gate/limits.ts';
import { uncheckedOf } from '../../core/gate/unmatched.ts';
import { masked } from '../../core/masking.ts';
import type { Baseline } from '../../model/documents/baseline.ts';
import type { CheckFailure, LimitResult } from '../../model/documents/check.ts';
import { describeJob } from '../job/describe.ts';
import { Job } from '../job/job.ts';
import type { MeasureTools } from '../job/tools.ts';
import { type GateJob, Guests, gather } from './gather.ts';
import type { BaselineRequest } from './request.ts';
import { sampleOf, sampleRecipe } from './sides.ts';

interface MovedBaseline {
  /** New baseline; the demands of the config are not in it yet. */
  baseline: Baseline;
  failures: CheckFailure[];
  /** Broken limits that do not depend on the baseline. */
  unmet: LimitResult[];
  /** Copied bytes of a post, by input. */
  copied: ReadonlyMap<string, number>;
}

/**
 * Makes the current baseline. A payload that failed keeps its old facts and is reported; a requested payload that is
 * gone is removed.
 */
export async function moveBaseline(
  old: Baseline | null,
  request: BaselineRequest,
  tools: MeasureTools,
): Promise<MovedBaseline> {
  const guests = new Guests(request, tools);
  try {
    const { gathered, failures } = await gather(guests);
    const recorded: RecordedFacts[] = [];
    const unclassified: CheckFailure[] = [];
    for (const one of gathered) {
      const { entry, run } = one;
      const facts = one.recorded(null);
      if (facts) recorded.push({ ...facts, sample: await provenSample(one, request) });
      else {
        const { code, message } = run.error ?? { code: 'internal', message: 'no verdict' };
        const said = `on ${entry.runtime}: ${message}`;
        unclassified.push({ payload: entry.id, file: entry.input, code, message: said });
      }
    }
    const unchecked = uncheckedOf(old, gathered, failures, request.selected);
    const removed = unchecked.filter(({ selected }) => selected);
    const results = gathered.flatMap(({ entry, run }) => checkAbsoluteFacts(entry, run));
    return {
      baseline: updatedBaseline(old, recorded, removed),
      failures: [...failures, ...unclassified],
      unmet: results.filter(({ outcome, level }) => outcome === 'failed' && level === 'error'),
      copied: new Map(
        gathered.flatMap(({ entry, run }) => (run.bytes ? [[entry.input, run.bytes.copied]] : [])),
      ),
    };
  } finally {
    await guests.close();
  }
}

/** A sample may replace its payload only if its facts are equal: JSON keeps no holes, deletions or private fields. */
async function provenSample(
  one: GateJob,
  { samples, keepSample }: BaselineRequest,
): Promise<RecordedFacts['sample']> {
  const { recipe, entry } = one;
  if (samples === null || entry.transfer.length > 0) return null;
  const text = await sampleOf(one);
  if (text === null) return null;
  const json: unknown = samples === 'masked' ? masked(JSON.parse(text)) : JSON.parse(text);
  const said = samples === 'masked' ? { json, masked: true as const } : { json };
  if (recipe.build.form === 'json' && samples === 'plain') return { ...said, faithful: true };
  const copy = sampleRecipe(recipe, await keepSample(JSON.stringify(json)));
  const again = await describeJob(new Job({ ...one.terms, recipe: copy }), { thorough: true });
  return { ...said, faithful: JSON.stringify(factsOf(again)) === JSON.stringify(one.facts) };
}
