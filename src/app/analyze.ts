import type { Recipe } from '../model/recipe.ts';
import { type PayloadReport, REPORT_SCHEMA, type Report, type Run } from '../model/report.ts';
import type { Channel } from '../model/words.ts';
import { type Classified, classifyRun, emptyRun } from './classify-run.ts';
import { GuestSeat } from './guest-seat.ts';
import { withInsight } from './insight-run.ts';
import { measureRun } from './measure-run.ts';
import { openSources, type Payload, runError } from './payloads.ts';
import type { AnalyzeRequest, Tools } from './tools.ts';

/** The main job: sources -> payloads -> classified runs -> measured runs -> Report. */
export async function analyze(request: AnalyzeRequest, tools: Tools): Promise<Report> {
  const seats = request.runtimes.map(
    (runtime) =>
      new GuestSeat(tools.driver, runtime, {
        timeoutMs: request.timeoutMs,
        cwd: request.cwd,
        signal: request.signal,
      }),
  );
  const report = emptyReport(request, tools);
  try {
    const payloads = await openSources(request.sources, seats[0] ?? null, {
      exports: request.exports,
      via: request.via,
      deadlineMs: request.timeoutMs,
      onNote: (text) => tools.emit({ type: 'note', text }),
    });
    tools.emit({
      type: 'started',
      payloads: payloads.length,
      runtimes: request.runtimes.map(({ spec }) => spec),
    });
    for (const payload of payloads) {
      if (request.signal?.aborted) break;
      report.payloads.push(await analyzePayload(payload, seats, request, tools));
    }
  } finally {
    await Promise.all(seats.map((seat) => seat.close()));
  }
  return report;
}

function emptyReport(request: AnalyzeRequest, tools: Tools): Report {
  return {
    schema: REPORT_SCHEMA,
    tool: { version: tools.version },
    machine: tools.machine,
    seed: request.seed,
    payloads: [],
  };
}

async function analyzePayload(
  payload: Payload,
  seats: GuestSeat[],
  request: AnalyzeRequest,
  tools: Tools,
): Promise<PayloadReport> {
  if (payload.recipe === null) {
    const source = { file: payload.file, export: null };
    return done({ id: payload.id, source, error: runError(payload.error), runs: [] }, tools);
  }
  const { recipe } = payload;
  const classified = await classifyEverywhere(recipe, seats, request, tools);
  const runs: Run[] = [];
  for (const { seat, channel, result } of classified) {
    const run =
      request.measure && result.run.status === 'classified' && !request.signal?.aborted
        ? await measured(recipe, seat, channel, result, request, tools)
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
  seat: GuestSeat,
  channel: Channel,
  result: Classified,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Run> {
  const run = await measureRun(recipe, seat, channel, result, request, tools);
  return withInsight(run, recipe, seat, request, tools);
}

interface ClassifiedSeat {
  seat: GuestSeat;
  channel: Channel;
  result: Classified;
}

/** All verdicts come before the first measurement: they take milliseconds, and the user is waiting. */
async function classifyEverywhere(
  recipe: Recipe,
  seats: GuestSeat[],
  request: AnalyzeRequest,
  tools: Tools,
): Promise<ClassifiedSeat[]> {
  const classified: ClassifiedSeat[] = [];
  for (const seat of seats) {
    for (const channel of request.channels) {
      const runtime = seat.runtime.spec;
      tools.emit({ type: 'step', payload: recipe.id, runtime, channel, step: 'describe', done: 0, of: 1 });
      const result = await classifyRun(recipe, seat, channel, {
        deadlineMs: request.timeoutMs,
        thorough: request.measure,
      });
      const { verdict } = result.run;
      if (verdict) tools.emit({ type: 'classified', payload: recipe.id, runtime, channel, verdict });
      classified.push({ seat, channel, result });
    }
    // An idle guest would take cycles from the measured ones.
    if (request.measure) await seat.close();
  }
  return classified;
}

function done(payload: PayloadReport, tools: Tools): PayloadReport {
  tools.emit({ type: 'payload-done', payload });
  return payload;
}
