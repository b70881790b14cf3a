import { REPORT_SCHEMA } from '../../model/document-ids.ts';
import type { Report } from '../../model/documents/report.ts';
import { GuestSlot } from '../guest-slot.ts';
import { openSources, samplesIn } from '../payloads.ts';
import type { AnalyzeRequest, Tools } from '../tools.ts';
import { analyzePayload, channelsOf } from './analyze-payload.ts';
import { withRecordings } from './recorded.ts';
import { analyzeWithin } from './within-total.ts';

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
