import { bytesOf } from '../../core/gate/baseline-facts.ts';
import { type LimitCheck, unmeasured } from '../../core/gate/limit-check.ts';
import { judgeMemoryRatio } from '../../core/gate/ratio.ts';
import { messagesInFlight } from '../../core/measure/memory.ts';
import { ORIGINAL } from '../../core/stats/variant-samples.ts';
import { isIpc } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { MemoryUse } from '../../model/wire/wire.ts';
import { measureMemoryOnce } from '../analyze/memory-run.ts';
import type { GuestTerms, MeasureTools } from '../tools.ts';
import type { Gathered } from './gather.ts';

const PROCESSES = 3;
/** Nanoseconds per byte of a round trip, as a first guess. */
const NS_A_BYTE = 10;

/** Memory of old and new, interleaved, each time in a process of its own with as many messages in flight. */
export async function memoryAgainst(
  old: Recipe,
  { recipe, run, slot, entry }: Gathered,
  limit: number,
  machineBytes: number,
  terms: GuestTerms,
  tools: MeasureTools,
): Promise<LimitCheck> {
  if (slot === null) return unmeasured('the runtime is missing');
  if (isIpc(run.channel)) return unmeasured('memory cannot be attributed between processes');
  const bytes = bytesOf(run) ?? 0;
  const facts = { bytes, tripMs: (bytes * NS_A_BYTE) / 1e6, machineBytes };
  const messages = messagesInFlight(facts);
  const where = { runtime: slot.runtime, channel: run.channel, facts };
  const [before, now]: [MemoryUse[], MemoryUse[]] = [[], []];
  for (let turn = 0; turn < PROCESSES && !terms.signal?.aborted; turn++) {
    for (const [payload, uses] of [[old, before] as const, [recipe, now] as const]) {
      const plan = { recipe: { ...payload, id: entry.id }, ...where };
      uses.push(await measureMemoryOnce(ORIGINAL, messages, plan, terms, tools));
    }
  }
  return judgeMemoryRatio(before, now, limit) ?? unmeasured('its memory was not measured');
}
