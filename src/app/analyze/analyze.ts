import { REPORT_SCHEMA, type Report } from '../../model/report/report.ts';
import { GuestSlot } from '../guest-slot.ts';
import { openSources } from '../payloads.ts';
import type { AnalyzeRequest, Tools } from '../tools.ts';

/** The main job: sources -> payloads -> classified runs -> measured runs -> Report. */
export async function analyze(request: AnalyzeRequest, tools: Tools): Promise<Report> {
  const slots = request.runtimes.map((runtime) => new GuestSlot(tools.driver, runtime, request));
  const report = emptyReport(request, tools);
  const began = tools.now();
  // The first guest starts while the rules and remedies load.
  const first = request.sources.find((source) => source.kind !== 'failed');
  if (first) slots[0]?.prepare(first.recipe);
  const loading = import('./analyze-payload.ts');
  try {
    const payloads = await openSources(request.sources, slots, {
      exports: request.exports,
      via: request.via,
      deadlineMs: request.timeoutMs,
      onNote: (text) => tools.emit({ type: 'note', text }),
    });
    const { analyzePayload, channelsOf } = await loading;
    tools.emit({
      type: 'started',
      payloads: payloads.length,
      runtimes: request.runtimes.map(({ spec }) => spec),
      runs: request.runtimes.length * payloads.flatMap((one) => channelsOf(one, request)).length,
      runMs: request.measure ? request.budgetMs : 0,
      totalMs: request.totalMs ?? null,
    });
    if (request.totalMs != null && request.measure) {
      const { analyzeWithin } = await import('./within-total.ts');
      report.payloads = await analyzeWithin(began + request.totalMs, payloads, slots, request, tools);
      return finished(report, request);
    }
    for (const payload of payloads) {
      if (request.signal?.aborted) break;
      report.payloads.push(await analyzePayload(payload, slots, request, tools));
    }
  } finally {
    await Promise.all(slots.map((slot) => slot.close()));
  }
  return finished(report, request);
}

async function finished(report: Report, { sources }: AnalyzeRequest): Promise<Report> {
  if (!sources.some(({ recorded }) => recorded)) return report;
  const { withRecordings } = await import('./recorded.ts');
  return withRecordings(report, sources);
}

function emptyReport(request: AnalyzeRequest, tools: Tools): Report {
  return {
    schema: REPORT_SCHEMA,
    tool: { version: tools.version },
    machine: tools.machine,
    seed: request.seed,
    ...(tools.today ? { date: tools.today() } : {}),
    payloads: [],
  };
}
