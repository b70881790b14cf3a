/** A payload on a runtime: everyone in turns, in several processes. */
import { medianOf } from '../interleave.ts';
import type { Timed } from './inside/compete.ts';
import type { Ask } from './inside/open.ts';
import type { Runtime } from './runtimes.ts';

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

/** Of each name in each process, kept as they were taken. */
const KEPT = 200;

export async function contest(
  payload: string,
  runtime: Runtime,
  processes: number,
  ask: Ask,
): Promise<Contest> {
  const timed: Timed[] = [];
  for (let process = 0; process < processes; process++)
    timed.push(await runtime.timed({ ...ask, seed: ask.seed + process }));
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
