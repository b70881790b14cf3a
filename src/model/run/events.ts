/** Events of a running use case. The app emits them; one listener in the CLI prints them on stderr. */

import type { Verdict } from '../documents/classification.ts';
import type { PayloadReport, Run } from '../documents/report.ts';
import type { Channel } from '../names.ts';

export const STEPS = {
  describe: 'describing',
  prove: 'proving rewrites',
  measure: 'measuring',
  memory: 'measuring memory',
  profile: 'profiling',
  'by-path': 'leaving out branches',
} as const;
export type StepName = keyof typeof STEPS;

export type AppEvent =
  | {
      type: 'started';
      payloads: number;
      runtimes: string[];
      /** Number of runs, and the maximum measuring time of each, ms: 0 if nothing is measured. */
      runs: number;
      runMs: number;
      totalMs: number | null;
    }
  | {
      type: 'step';
      payload: string;
      runtime: string;
      channel: Channel;
      step: StepName;
      done: number;
      of: number;
      /** Speedup of the best rewrite in the current measurements of `measure`, if greater than 1. */
      gain?: number;
    }
  | { type: 'classified'; payload: string; runtime: string; channel: Channel; verdict: Verdict }
  | { type: 'run-done'; payload: string; run: Run }
  | { type: 'payload-done'; payload: PayloadReport }
  | { type: 'note'; text: string }
  | { type: 'warning'; text: string };

export type Emit = (event: AppEvent) => void;
