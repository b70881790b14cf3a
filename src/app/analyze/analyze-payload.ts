import { runtimeOfSpec } from '../../core/runtime-spec.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { PayloadReport, Run } from '../../model/report/report.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { type Payload, runError } from '../payloads.ts';
import { type AnalyzeRequest, emitStep, type Tools } from '../tools.ts';
import { withBranches } from './branches-run.ts';
import { type Classified, classifyRun, emptyRun } from './classify-run.ts';
import { withLoad } from './load-run.ts';
import { measureRun } from './measure-run.ts';
import { withProfile } from './profile-run.ts';
import type { RunContext } from './run-context.ts';

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
  const runs: Run[] = [];
  for (const { context, classified } of await classifyEverywhere(recipe, slots, request, tools)) {
    const isOpen = classified.run.status === 'classified' && !request.signal?.aborted;
    const run = request.measure && isOpen ? await measured(context, classified) : classified.run;
    tools.emit({ type: 'run-done', payload: recipe.id, run });
    runs.push(run);
  }
  const { id, source, stands } = recipe;
  const lines = stands === undefined ? {} : { stands };
  return done({ id, source, error: null, ...lines, runs: [...runs, ...missingRuns(request)] }, tools);
}

/** A path that is not a binary has no runtime that a run could name. */
function missingRuns({ missing = [], channels }: AnalyzeRequest): Run[] {
  return missing.flatMap(({ spec, error }) => {
    const runtime = runtimeOfSpec(spec);
    if (runtime === null) return [];
    return channels.map((channel) => ({ ...emptyRun(runtime, channel), error: runError(error) }));
  });
}

async function measured(context: RunContext, classified: Classified): Promise<Run> {
  const timed = await measureRun(context, classified);
  const loaded = await withLoad(context, timed);
  const run = await withProfile(context, await withBranches(context, loaded));
  const { recipe, tools } = context;
  const { withCodec } = await import('../codec.ts');
  const date = tools.today?.();
  return withCodec({ tool: tools, ...(date === undefined ? {} : { date }) }, recipe, run);
}

interface ClassifiedRun {
  context: RunContext;
  classified: Classified;
}

/** All verdicts come before the first measurement: they take milliseconds, and the user is waiting. */
async function classifyEverywhere(
  recipe: Recipe,
  slots: GuestSlot[],
  request: AnalyzeRequest,
  tools: Tools,
): Promise<ClassifiedRun[]> {
  const runs: ClassifiedRun[] = [];
  const options = { deadlineMs: request.timeoutMs, thorough: request.measure };
  for (const [i, slot] of slots.entries()) {
    slot.prepare(recipe);
    slots[i + 1]?.prepare(recipe);
    for (const channel of request.channels) {
      const context = { recipe, slot, runtime: slot.runtime, channel, request, tools };
      emitStep(tools, context, 'describe');
      const classified = await classifyRun(recipe, slot, channel, options);
      const { verdict } = classified.run;
      const { spec } = slot.runtime;
      if (verdict) tools.emit({ type: 'classified', payload: recipe.id, runtime: spec, channel, verdict });
      runs.push({ context, classified });
    }
    // An idle guest would take cycles from the measured ones.
    if (request.measure) await slot.close();
  }
  return runs;
}

function done(payload: PayloadReport, tools: Tools): PayloadReport {
  tools.emit({ type: 'payload-done', payload });
  return payload;
}
