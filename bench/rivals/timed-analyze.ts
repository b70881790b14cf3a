// One whole `analyze` of a build of the tool: its report, and when it ended measuring and when it ended.

import type { Report } from '../../src/model/documents/report.ts';
import type { AppEvent } from '../../src/model/run/events.ts';

/** Times in ms since this process started. */
export interface TimedAnalyze {
  report: Report;
  measuredAt: number;
  endedAt: number;
}

interface Library {
  analyze(file: string, options: object): Promise<Report>;
}

const { library, file, runtime, seed } = JSON.parse(process.argv[2] ?? '{}') as {
  library: string;
  file: string;
  runtime: string;
  seed: number;
};
const { analyze } = (await import(library)) as Library;
let measuredAt = 0;
// The last step of measuring is told when it is decided, or when the budget has ended.
const onEvent = (event: AppEvent) => {
  if (event.type === 'step' && event.step === 'measure') measuredAt = performance.now();
};
const report = await analyze(file, { runtimes: [runtime], seed, offline: true, onEvent });
const timed: TimedAnalyze = { report, measuredAt, endedAt: performance.now() };
process.stdout.write(JSON.stringify(timed));
