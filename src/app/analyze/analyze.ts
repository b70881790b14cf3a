import { nextShare } from '../../core/measure/total-budget.ts';
import { REPORT_SCHEMA } from '../../model/document-ids.ts';
import type { PayloadReport, Report, Run } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import { GuestSlot } from '../guest-slot.ts';
import { openSources, type Payload, runError, samplesIn } from '../payloads.ts';
import type { AnalyzeRequest, Tools } from '../tools.ts';
import {
  analyzePayload,
  type ClassifiedRun,
  channelsOf,
  classifyEverywhere,
  done,
  isMeasurable,
  payloadReport,
} from './analyze-payload.ts';
import { withDetails } from './details.ts';
import { type MeasuredRun, measureRun } from './measure-run.ts';
import { withRecordings } from './recorded.ts';

/** A payload, with its runs as far as they are done. */
interface OpenPayload {
  payload: Payload;
  runs: (Run | null)[];
  report: PayloadReport | null;
}

interface OpenRun extends ClassifiedRun {
  of: OpenPayload;
  /** Which run of its payload. */
  at: number;
}

/** Undecided, and can be continued. */
interface UnsureRun extends OpenRun {
  run: Run;
  more: NonNullable<MeasuredRun['more']>;
}

/**
 * All payloads within one budget, which ends at `endMs` of the clock. Everything is classified first. Then each run gets
 * a fair share, and what decided runs leave goes to the undecided, those first that need least.
 */
async function analyzeWithin(
  endMs: number,
  payloads: readonly Payload[],
  slots: GuestSlot[],
  request: AnalyzeRequest,
  tools: Tools,
): Promise<PayloadReport[]> {
  const analysis = new SharedAnalysis(endMs, request, tools);
  const open: OpenRun[] = [];
  const all: OpenPayload[] = [];
  for (const payload of payloads) {
    if (request.signal?.aborted) break;
    const classified = await classifyEverywhere(payload, slots, request, tools);
    const of: OpenPayload = { payload, runs: classified.map(() => null), report: null };
    all.push(of);
    open.push(...classified.map((one, at) => ({ ...one, of, at })));
    if (classified.length === 0) analysis.finish(of);
  }
  await Promise.all(slots.map((slot) => slot.close()));
  const unsure = await analysis.measure(open);
  await analysis.continue(unsure);
  return all.flatMap(({ report }) => report ?? []);
}

class SharedAnalysis {
  readonly #endMs: number;
  readonly #request: AnalyzeRequest;
  readonly #tools: Tools;
  /** What each measured run took beyond its share, ms. */
  readonly #overheads: number[] = [];

  constructor(endMs: number, request: AnalyzeRequest, tools: Tools) {
    this.#endMs = endMs;
    this.#request = request;
    this.#tools = tools;
  }

  /** Each run once. @returns those that are undecided */
  async measure(open: readonly OpenRun[]): Promise<UnsureRun[]> {
    const unsure: UnsureRun[] = [];
    for (const [i, one] of open.entries()) {
      const { context, classified } = one;
      const isOpen = isMeasurable(one.of.payload, one) && !this.#request.signal?.aborted;
      const ms = isOpen ? this.#share(open.length - i, this.#request.budgetMs) : null;
      if (ms === null) {
        this.#end(one, isOpen ? withoutTime(classified.run) : classified.run);
        continue;
      }
      const limited = { ...context, request: { ...context.request, budgetMs: ms } };
      const { run, more } = await this.#timed(ms, () => measureRun(limited, classified));
      if (more !== null && isUnsure(run)) unsure.push({ ...one, run, more });
      else this.#end(one, await withDetails(limited, run));
    }
    return unsure;
  }

  /** Those that need least first, again and again until the time is over. */
  async continue(unsure: readonly UnsureRun[]): Promise<void> {
    let open = [...unsure].sort((a, b) => needsOf(a) - needsOf(b));
    while (open.length > 0) {
      const next: UnsureRun[] = [];
      for (const [i, one] of open.entries()) {
        const ms = this.#request.signal?.aborted
          ? null
          : this.#share(open.length - i, Number.POSITIVE_INFINITY);
        const { run, more } =
          ms === null ? { ...one, more: null } : await this.#timed(ms, () => one.more(ms));
        if (more !== null && isUnsure(run)) next.push({ ...one, run, more });
        else this.#end(one, await withDetails(one.context, run));
      }
      open = next;
    }
  }

  finish(of: OpenPayload): void {
    const runs = of.runs.filter((run) => run !== null);
    if (runs.length < of.runs.length) return;
    of.report = payloadReport(of.payload, runs, this.#request, this.#tools);
  }

  #end({ context, of, at }: OpenRun, run: Run): void {
    of.runs[at] = done(context, run);
    this.finish(of);
  }

  #share(runs: number, mostMs: number): number | null {
    const leftMs = this.#endMs - this.#tools.now();
    const overheads = this.#overheads.reduce((sum, ms) => sum + ms, 0);
    const overheadMs = overheads / Math.max(1, this.#overheads.length);
    return nextShare({ leftMs, runs, overheadMs, mostMs });
  }

  async #timed(ms: number, measure: () => Promise<MeasuredRun>): Promise<MeasuredRun> {
    const began = this.#tools.now();
    const measured = await measure();
    this.#overheads.push(Math.max(0, this.#tools.now() - began - ms));
    return measured;
  }
}

const isUnsure = ({ advice }: Run): boolean => advice?.action === 'unsure';

const needsOf = ({ run }: UnsureRun): number => run.advice?.needs ?? Number.POSITIVE_INFINITY;

/** Classified, and not measured: not a failure of the payload. */
const withoutTime = (run: Run): Run => ({ ...run, error: runError(new ToolError('total-spent')) });

/** The main job, with the costs of recordings. */
export async function analyze(asked: AnalyzeRequest, tools: Tools): Promise<Report> {
  const report = await analyzeSources(asked, tools);
  if (!asked.sources.some(({ recorded }) => recorded)) return report;
  return withRecordings(report, asked.sources);
}

/** Sources -> payloads -> classified runs -> measured runs -> Report. */
export async function analyzeSources(asked: AnalyzeRequest, tools: Tools): Promise<Report> {
  let request = asked;
  const slots = request.runtimes.map((runtime) => new GuestSlot(tools, runtime, request));
  const report: Report = {
    schema: REPORT_SCHEMA,
    tool: { version: tools.version },
    machine: tools.machine,
    seed: request.seed,
    ...(tools.today ? { date: tools.today() } : {}),
    payloads: [],
  };
  const began = tools.now();
  try {
    const { sources, exports, via, transfer, timeoutMs: deadlineMs } = request;
    let payloads = await openSources(sources, slots, {
      ...{ exports, via, transfer, deadlineMs },
      onNote: (text) => tools.emit({ type: 'note', text }),
      // Each kind of line is a sample.
      worst: request.one === true,
    });
    if (request.one) {
      // The first, and what could not be loaded.
      const recipes = payloads.flatMap(({ recipe }) => recipe ?? []);
      payloads = payloads.filter(({ recipe }) => recipe === null || recipe === recipes[0]);
      request = { ...request, samples: samplesIn(recipes) };
    }
    tools.emit({
      type: 'started',
      payloads: payloads.length,
      runtimes: request.runtimes.map(({ spec }) => spec),
      runs: request.runtimes.length * payloads.flatMap((one) => channelsOf(one, request)).length,
      runMs: request.measure ? request.budgetMs : 0,
      totalMs: request.totalMs ?? null,
    });
    if (request.totalMs != null && request.measure) {
      report.payloads = await analyzeWithin(began + request.totalMs, payloads, slots, request, tools);
      return report;
    }
    for (const payload of payloads) {
      if (request.signal?.aborted) break;
      report.payloads.push(await analyzePayload(payload, slots, request, tools));
    }
  } finally {
    await Promise.all(slots.map((slot) => slot.close()));
  }
  return report;
}
