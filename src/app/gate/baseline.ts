import {
  type BaselineChange,
  changesOf,
  type RecordedFacts,
  updatedBaseline,
} from '../../core/gate/baseline.ts';
import { factsOf } from '../../core/gate/baseline-facts.ts';
import { type BaselineKey, uncheckedOf } from '../../core/gate/unmatched.ts';
import { masked } from '../../core/masking.ts';
import type { Baseline, Demands } from '../../model/documents/baseline.ts';
import type { CheckFailure } from '../../model/documents/check.ts';
import { classifyRun } from '../analyze/classify-run.ts';
import type { MeasureTools } from '../tools.ts';
import { type GateRequest, type Gathered, gather } from './gather.ts';
import { GuestPool } from './guest-pool.ts';
import { type KeepSample, sampleOf, sampleRecipe } from './sampled.ts';

export interface BaselineRequest extends GateRequest {
  keepSample: KeepSample;
  /** Keep a copy of each payload: as it is, or with other texts. null: facts only. */
  samples: 'plain' | 'masked' | null;
  /** What the config demands. */
  demands: Demands;
}

export interface MovedBaseline {
  baseline: Baseline;
  changes: BaselineChange[];
  failures: CheckFailure[];
}

/**
 * The current baseline, and what changed. A payload that failed keeps its old facts and is reported; what was asked for
 * and is not there any more is removed.
 */
export async function moveBaseline(
  old: Baseline | null,
  request: BaselineRequest,
  tools: MeasureTools,
): Promise<MovedBaseline> {
  const { recorded, seen, unloaded, unclassified } = await seenPayloads(request, tools);
  const unchecked = uncheckedOf(old, seen, unloaded, request.selected);
  const failures = [...unloaded, ...unclassified];
  const removed = unchecked.filter(({ selected }) => selected);
  const baseline = { ...updatedBaseline(old, recorded, removed), demands: request.demands };
  return { baseline, changes: changesOf(old, baseline), failures };
}

interface SeenPayloads {
  recorded: RecordedFacts[];
  seen: BaselineKey[];
  /** Inputs of which nothing is known, and payloads on runtimes that are known by name only. */
  unloaded: CheckFailure[];
  unclassified: CheckFailure[];
}

async function seenPayloads(request: BaselineRequest, tools: MeasureTools): Promise<SeenPayloads> {
  const slots = new GuestPool(request, tools);
  try {
    const { gathered, failures: unloaded } = await gather(request, slots, tools);
    const seen = gathered.map(({ entry, key }) => ({ id: entry.id, key }));
    const recorded: RecordedFacts[] = [];
    const unclassified: CheckFailure[] = [];
    for (const one of gathered) {
      const facts = factsOf(one.run);
      if (facts)
        recorded.push({ id: one.entry.id, key: one.key, facts, sample: await provenSample(one, request) });
      else unclassified.push(checkFailure(one));
    }
    return { recorded, seen, unloaded, unclassified };
  } finally {
    await slots.close();
  }
}

function checkFailure({ entry, run }: Gathered): CheckFailure {
  const { code, message } = run.error ?? { code: 'internal', message: 'no verdict' };
  return { payload: entry.id, file: entry.input, code, message: `on ${entry.runtime}: ${message}` };
}

/** A sample may replace its payload only where it takes the same path: JSON keeps no holes, deletes or private fields. */
async function provenSample(
  { recipe, run, slot, entry }: Gathered,
  request: BaselineRequest,
): Promise<RecordedFacts['sample']> {
  const { samples, timeoutMs } = request;
  if (samples === null || slot === null || entry.transfer.length > 0) return null;
  const text = await sampleOf(recipe, run, slot, timeoutMs);
  if (text === null) return null;
  const json: unknown = samples === 'masked' ? masked(JSON.parse(text)) : JSON.parse(text);
  const said = samples === 'masked' ? { json, masked: true as const } : { json };
  if (recipe.build.form === 'json' && samples === 'plain') return { ...said, faithful: true };
  const copy = sampleRecipe(recipe, await request.keepSample(entry.id, JSON.stringify(json)));
  const options = { deadlineMs: timeoutMs, thorough: true };
  const again = await classifyRun(copy, slot, run.channel, options);
  const [one, other] = [factsOf(run), factsOf(again.run)].map((facts) => JSON.stringify(facts));
  return { ...said, faithful: one === other };
}
