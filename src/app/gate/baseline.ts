import {
  type BaselineChange,
  changesOf,
  type RecordedFacts,
  updatedBaseline,
} from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import type { Baseline, CheckFailure } from '../../model/check.ts';
import { classifyRun } from '../analyze/classify-run.ts';
import type { MeasureTools } from '../tools.ts';
import { type GateRequest, type Gathered, GuestPool, gather } from './gather.ts';
import { type KeepSample, sampleOf, sampleRecipe } from './sampled.ts';

export interface BaselineRequest extends GateRequest {
  keepSample: KeepSample;
}

export interface MovedBaseline {
  baseline: Baseline;
  changes: BaselineChange[];
  failures: CheckFailure[];
}

/**
 * The current baseline, and what changed. A payload that failed keeps its old facts and is reported.
 *
 * @param isWhole every payload of the config was asked for: those that the config no longer names are removed
 */
export async function moveBaseline(
  old: Baseline | null,
  isWhole: boolean,
  request: BaselineRequest,
  tools: MeasureTools,
): Promise<MovedBaseline> {
  const { seen, failures } = await seenPayloads(request, tools);
  const baseline = updatedBaseline(old, seen, isWhole && failures.length === 0);
  return { baseline, changes: changesOf(old, baseline), failures };
}

async function seenPayloads(
  request: BaselineRequest,
  tools: MeasureTools,
): Promise<{ seen: RecordedFacts[]; failures: CheckFailure[] }> {
  const slots = new GuestPool(request, tools);
  try {
    const { gathered, failures } = await gather(request, slots, tools);
    const seen: RecordedFacts[] = [];
    for (const one of gathered) {
      const facts = factsOf(one.run);
      if (facts)
        seen.push({ id: one.entry.id, key: one.key, facts, sample: await provenSample(one, request) });
      else failures.push(failureOf(one));
    }
    return { seen, failures };
  } finally {
    await slots.close();
  }
}

function failureOf({ entry, run }: Gathered): CheckFailure {
  const { code, message } = run.error ?? { code: 'internal', message: 'no verdict' };
  return { payload: entry.id, file: entry.input, code, message: `on ${entry.runtime}: ${message}` };
}

/** A sample may replace its payload only where it takes the same path: JSON keeps no holes, deletes or private fields. */
async function provenSample(
  { recipe, run, slot, entry }: Gathered,
  request: BaselineRequest,
): Promise<RecordedFacts['sample']> {
  if (slot === null || entry.transfer.length > 0) return null;
  const text = await sampleOf(recipe, run, slot, request.timeoutMs);
  if (text === null) return null;
  const json: unknown = JSON.parse(text);
  if (recipe.build.form === 'json') return { json, faithful: true };
  const copy = sampleRecipe(recipe, await request.keepSample(entry.id, text));
  const options = { deadlineMs: request.timeoutMs, thorough: true };
  const again = await classifyRun(copy, slot, run.channel, options);
  const [one, other] = [factsOf(run), factsOf(again.run)].map((facts) => JSON.stringify(facts));
  return { json, faithful: one === other };
}
