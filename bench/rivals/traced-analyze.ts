// A whole `analyze` with the default budget: its report, and the samples of each process.
import { analyze } from '../../src/index.ts';
import type { Report } from '../../src/model/documents/report.ts';
import { type Traced, traced } from './traced-guest.ts';

export interface TracedAnalyze {
  report: Report;
  traced: Traced[];
}

const { file, runtime, seed } = JSON.parse(process.argv[2] ?? '{}') as {
  file: string;
  runtime: string;
  seed: number;
};
const report = await analyze(file, { runtimes: [runtime], seed, offline: true });
const answer: TracedAnalyze = { report, traced };
process.stdout.write(JSON.stringify(answer));
