import type { Channel } from '../../model/names.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { PayloadReport, Run } from '../../model/report.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { type Payload, runError } from '../payloads.ts';
import type { AnalyzeRequest, Tools } from '../tools.ts';
import { type Classified, classifyRun, emptyRun } from './classify-run.ts';
import { withLoad } from './load-run.ts';
import { measureRun } from './measure-run.ts';
import { withProfileAndBranches } from './profile-and-branches.ts';

/** One payload on all runtimes and channels: classified everywhere, then measured everywhere. */
export async function analyzePayload(
  payload: Payload,
  slots: GuestSlot[],
  request: AnalyzeRequest,
  tools: Tools,
): Promise<PayloadReport> {
  if (payload.recipe === null) {
    const source = { file: payload.file, export: null };
    return done({ id: payload.id, source, error: runError(payload.error), runs: [] }, tools);
  }
  const { recipe } = payload;
  const classified = await classifyEverywhere(recipe, slots, request, tools);
  const runs: Run[] = [];
  for (const { slot, channel, result } of classified) {
    const run =
      request.measure && result.run.status === 'classified' && !request.signal?.aborted
        ? await measured(recipe, slot, channel, result, request, tools)
        : result.run;
    tools.emit({ type: 'run-done', payload: recipe.id, run });
    runs.push(run);
  }
  for (const { runtime, error } of request.missing ?? []) {
    runs.push(
      ...request.channels.map((channel) => ({ ...emptyRun(runtime, channel), error: runError(error) })),
    );
  }
  const { id, source, stands } = recipe;
  return done({ id, source, error: null, ...(stands === undefined ? {} : { stands }), runs }, tools);
}

async function measured(
  recipe: Recipe,
  slot: GuestSlot,
  channel: Channel,
  result: Classified,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Run> {
  const run = await measureRun(recipe, slot, channel, result, request, tools);
  const loaded = await withLoad(run, recipe, slot, request, tools);
  return withProfileAndBranches(loaded, recipe, slot, request, tools);
}

interface ClassifiedSeat {
  slot: GuestSlot;
  channel: Channel;
  result: Classified;
}

/** All verdicts come before the first measurement: they take milliseconds, and the user is waiting. */
async function classifyEverywhere(
  recipe: Recipe,
  slots: GuestSlot[],
  request: AnalyzeRequest,
  tools: Tools,
): Promise<ClassifiedSeat[]> {
  const classified: ClassifiedSeat[] = [];
  for (const [i, slot] of slots.entries()) {
    slot.prepare();
    slots[i + 1]?.prepare();
    for (const channel of request.channels) {
      const runtime = slot.runtime.spec;
      tools.emit({ type: 'step', payload: recipe.id, runtime, channel, step: 'describe', done: 0, of: 1 });
      const result = await classifyRun(recipe, slot, channel, {
        deadlineMs: request.timeoutMs,
        thorough: request.measure,
      });
      const { verdict } = result.run;
      if (verdict) tools.emit({ type: 'classified', payload: recipe.id, runtime, channel, verdict });
      classified.push({ slot, channel, result });
    }
    // An idle guest would take cycles from the measured ones.
    if (request.measure) await slot.close();
  }
  return classified;
}

function done(payload: PayloadReport, tools: Tools): PayloadReport {
  tools.emit({ type: 'payload-done', payload });
  return payload;
}
