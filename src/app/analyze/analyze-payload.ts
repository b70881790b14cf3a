import { runtimeOfSpec } from '../../core/runtime-spec.ts';
import { stepsOf } from '../../core/steps.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { type Channel, type RuntimeName, usualChannel } from '../../model/names.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { type Payload, runError } from '../payloads.ts';
import { type AnalyzeRequest, emitStep, type RunContext, type Tools } from '../tools.ts';
import { classifyRun, type DescribedRun, emptyRun } from './classify-run.ts';
import { withDetails } from './details.ts';
import { measureRun } from './measure-run.ts';

/** One payload on all runtimes and channels: classified everywhere, then measured everywhere. */
export async function analyzePayload(
  payload: Payload,
  slots: GuestSlot[],
  request: AnalyzeRequest,
  tools: Tools,
): Promise<PayloadReport> {
  const runs: Run[] = [];
  const everywhere = await classifyEverywhere(payload, slots, request, tools);
  const isMeasured = (one: ClassifiedRun | undefined): one is ClassifiedRun =>
    request.measure && one !== undefined && isMeasurable(payload, one) && !request.signal?.aborted;
  for (const [at, one] of everywhere.entries()) {
    const { context, classified } = one;
    const run = isMeasured(one)
      ? await withDetails(context, (await measureRun(context, classified)).run)
      : classified.run;
    // Nothing is measured while this run is reported: the next guest may start.
    const next = everywhere[at + 1];
    if (isMeasured(next)) next.context.slot.prepare(next.context.recipe);
    runs.push(done(context, run));
  }
  return payloadReport(payload, runs, request, tools);
}

/** Tells that the run is done. */
export function done({ recipe, tools }: RunContext, run: Run): Run {
  tools.emit({ type: 'run-done', payload: recipe.id, run });
  return run;
}

/** The payload is done. */
export function payloadReport(
  payload: Payload,
  runs: readonly Run[],
  request: AnalyzeRequest,
  tools: Tools,
): PayloadReport {
  const traffic = payload.recorded ? { traffic: payload.recorded.traffic } : {};
  let report: PayloadReport;
  if (payload.recipe === null) {
    const { id, file, error } = payload;
    report = { id, source: { file, export: null }, error: runError(error), ...traffic, runs: [] };
  } else {
    const { id, source, stands } = payload.recipe;
    const lines = stands === undefined ? {} : { stands };
    const all = [...runs, ...missingRuns(request, payload)];
    const steps = stepsOf({ runs: all, ...traffic });
    report = { id, source, error: null, ...lines, ...traffic, ...(steps.length > 0 && { steps }), runs: all };
  }
  tools.emit({ type: 'payload-done', payload: report });
  return report;
}

/** Messages of a recording travel as they did. */
export const channelsOf = (
  { recorded }: Payload,
  { channels }: AnalyzeRequest,
  runtime: RuntimeName = 'node',
): Channel[] => (recorded?.channel ? [recorded.channel] : (channels ?? [usualChannel(runtime)]));

/** A path that is not a binary has no runtime that a run could name. */
function missingRuns(request: AnalyzeRequest, payload: Payload): Run[] {
  return (request.missing ?? []).flatMap(({ spec, error }) => {
    const runtime = runtimeOfSpec(spec);
    if (runtime === null) return [];
    return channelsOf(payload, request, runtime.name).map((channel) => ({
      ...emptyRun(runtime, channel),
      error: runError(error),
    }));
  });
}

export interface ClassifiedRun {
  context: RunContext;
  classified: DescribedRun;
}

/** Messages that were posted with a transfer list get the verdict only: here, all of them would be copied. */
const isTransferring = ({ recorded }: Payload): boolean => (recorded?.traffic.transfer.listed ?? 0) > 0;

export const isMeasurable = (payload: Payload, { classified }: ClassifiedRun): boolean =>
  classified.run.status === 'classified' && !isTransferring(payload);

/** All verdicts come before the first measurement: they take milliseconds, and the user is waiting. */
export async function classifyEverywhere(
  payload: Payload,
  slots: GuestSlot[],
  request: AnalyzeRequest,
  tools: Tools,
): Promise<ClassifiedRun[]> {
  const { recipe, recorded } = payload;
  const runs: ClassifiedRun[] = [];
  if (recipe === null) return runs;
  const transferring = isTransferring(payload);
  const samples = request.samples ?? recorded?.samples;
  const ofSite = samples === undefined ? request : { ...request, samples };
  const options = { deadlineMs: request.timeoutMs, thorough: request.measure, transferring };
  for (const [i, slot] of slots.entries()) {
    slot.prepare(recipe);
    slots[i + 1]?.prepare(recipe);
    for (const channel of channelsOf(payload, request, slot.runtime.name)) {
      const context = { recipe, slot, runtime: slot.runtime, channel, request: ofSite, tools };
      emitStep(tools, context, 'describe');
      const classified = await classifyRun(recipe, slot, channel, options);
      const { verdict } = classified.run;
      const { spec } = slot.runtime;
      if (verdict) tools.emit({ type: 'classified', payload: recipe.id, runtime: spec, channel, verdict });
      runs.push({ context, classified });
    }
    // An idle guest would take cycles from the measured ones. That of the first run to be measured proves, and ends.
    const provesNext =
      runs.find(({ classified: { run } }) => run.status === 'classified')?.context.slot === slot;
    if (!provesNext && request.measure && request.totalMs == null) await slot.close();
  }
  return runs;
}
