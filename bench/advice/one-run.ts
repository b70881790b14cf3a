import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { RatioEstimate } from '../../src/model/documents/measurement.ts';
import type { Run } from '../../src/model/documents/report.ts';
import type { TimedAnalyze } from '../rivals/timed-analyze.ts';

/** What is run: `dist` is a build of the tool. */
export interface Asked {
  dist: string;
  payload: string;
  file: string;
  runtime: { name: string; binary: string };
}

export interface AdviceRun extends Asked {
  /** ms from the start of the process: all of it, and until the last message was timed. */
  wholeMs: number;
  measuredMs: number;
  run: Run;
}

/** A whole `analyze` in a process of its own; `folder` holds the bundle of `rivals/timed-analyze.ts`. */
export async function runOf(asked: Asked, folder: string, seed: number): Promise<AdviceRun> {
  const library = pathToFileURL(join(asked.dist, 'index.js')).href;
  const ask = JSON.stringify({ library, file: asked.file, runtime: asked.runtime.binary, seed });
  const began = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'timed-analyze.mjs'), ask], {
    maxBuffer: 2 ** 28,
    timeout: 120_000,
  });
  const wholeMs = performance.now() - began;
  const { report, measuredAt } = JSON.parse(stdout) as TimedAnalyze;
  const run = report.payloads[0]?.runs[0];
  if (!run?.advice) throw new Error(`${asked.payload} on ${asked.runtime.name}: ${run?.error?.message}`);
  return { ...asked, wholeMs, measuredMs: measuredAt, run };
}

/** High over low: 1.25 is about 12 % to each side. */
export const widthOf = ({ ci }: RatioEstimate): number => ci[1] / ci[0];

/** Of a rewrite that is advised because it gains time; null where nothing is advised. */
export const advisedGain = ({ run: { advice } }: AdviceRun): RatioEstimate | null =>
  advice?.action === 'apply' ? advice.gain : null;

export const isOpen = ({ run: { advice } }: AdviceRun): boolean =>
  advice?.action === 'unsure' || advice?.action === 'not-tried';
