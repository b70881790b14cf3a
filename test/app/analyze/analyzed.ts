/** Analyses of payloads on fake runtimes, by a clock that costs. */
import { analyze } from '../../../src/app/analyze/analyze.ts';
import type { AnalyzeRequest, Tools } from '../../../src/app/job/job.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import { MACHINE } from '../../make.ts';
import { fakeRuntime } from '../../support/fake-runtime.ts';

/** On Node over a worker for one second, if `request` does not say otherwise; each reading of the clock costs 50 ms. */
export function analyzed(
  request: Pick<AnalyzeRequest, 'sources'> & Partial<AnalyzeRequest>,
  tools: Pick<Tools, 'driver'> & Partial<Tools>,
): Promise<Report> {
  let clock = 0;
  return analyze(
    {
      runtimes: { found: [fakeRuntime('node', '24.0.0')], missing: [] },
      ...{ channels: null, exports: null, via: [], measure: true, seed: 1 },
      ...{ budgetMs: 1000, timeoutMs: 1000, cwd: '/', ...request },
    },
    {
      ...{ emit: () => undefined, now: () => (clock += 50), machine: MACHINE, version: '0.0.0' },
      ...tools,
    },
  );
}
