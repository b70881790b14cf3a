/** A payload on a runtime: everyone in turns, in several processes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { medianOf } from '../interleave.ts';
import type { Ask } from './inside/open.ts';
import type { Timed } from './inside/program.ts';

export interface Runtime {
  name: string;
  binary: string;
  /** Before the script. */
  args: string[];
}

export interface Contest {
  payload: string;
  runtime: string;
  /** ms of a round trip of the original. */
  trip: number;
  /** By name, new time over that of the original: median over processes of ratios of medians. */
  shares: Record<string, number>;
  cannot: Record<string, string>;
  /** ns, by process and name. */
  samples: Timed['samples'][];
}

const run = promisify(execFile);
const DEADLINE_MS = 180_000;
/** Of each name in each process, kept as they were taken. */
const KEPT = 200;

export async function contest(
  program: string,
  payload: string,
  runtime: Runtime,
  processes: number,
  ask: Ask,
): Promise<Contest> {
  const timed: Timed[] = [];
  for (let process = 0; process < processes; process++) {
    const args = [...runtime.args, program, JSON.stringify({ ...ask, seed: ask.seed + process })];
    const { stdout } = await run(runtime.binary, args, { timeout: DEADLINE_MS, maxBuffer: 2 ** 28 });
    timed.push(JSON.parse(stdout) as Timed);
  }
  const medians = timed.map(({ samples }) => mapped(samples, medianOf));
  const names = Object.keys(medians[0]!);
  const share = (name: string) => medianOf(medians.map((each) => each[name]! / each.original!));
  return {
    payload,
    runtime: runtime.name,
    trip: medianOf(medians.map(({ original }) => original!)) / 1e6,
    shares: Object.fromEntries(names.map((name) => [name, share(name)])),
    cannot: timed[0]!.cannot,
    samples: timed.map(({ samples }) => mapped(samples, (taken) => taken.slice(0, KEPT))),
  };
}

const mapped = <A, B>(values: Record<string, A>, convert: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value)]));
