/** Summary of the points of a sweep: where strategies cross, and at which sizes each is faster or slower. */
import type { Crossover, StrategyResult, SweepPoint } from '../../model/documents/sweep.ts';
import { type Decision, decide } from '../stats/decision.ts';
import { crossings } from './crossover.ts';

/** Name of the strategy that posts the original; all others are compared with it. */
export const RAW = 'raw';

/** The points of one strategy of one series, on one runtime over one channel; sizes ascend. */
function curvesOf(points: readonly SweepPoint[]): SweepPoint[][] {
  const curves = new Map<string, SweepPoint[]>();
  for (const point of points) {
    const { runtime, channel, payload, strategy } = point;
    const key = JSON.stringify([runtime.name, runtime.version, channel, payload, strategy]);
    curves.set(key, [...(curves.get(key) ?? []), point]);
  }
  return [...curves.values()].map((curve) => [...curve].sort((a, b) => a.size - b.size));
}

const comparedWithRaw = (points: readonly SweepPoint[]) =>
  curvesOf(points.filter(({ strategy }) => strategy !== RAW));

export function crossoversOf(points: readonly SweepPoint[], seed: number): Crossover[] {
  return comparedWithRaw(points).flatMap((curve) => {
    const { runtime, channel, payload, strategy, unit } = curve[0]!;
    const ratios = curve.flatMap(({ size, ratio }) => (ratio === null ? [] : [{ size, ratio }]));
    return crossings(ratios, seed).map(
      ({ size, ci, belowFirst }): Crossover => ({
        runtime,
        channel,
        payload,
        between: [RAW, strategy],
        unit,
        size,
        ci,
        cheaper: belowFirst ? { below: strategy, above: RAW } : { below: RAW, above: strategy },
      }),
    );
  });
}

export function strategyResults(points: readonly SweepPoint[]): StrategyResult[] {
  return comparedWithRaw(points).map((curve) => {
    const { runtime, channel, payload, strategy, unit } = curve[0]!;
    const timed = curve.filter(({ ratio }) => ratio !== null);
    const sizes = (wanted: Decision) =>
      timed.filter(({ ratio }) => decide(ratio) === wanted).map(({ size }) => size);
    const [faster, slower] = [sizes('faster'), sizes('slower')];
    return {
      runtime,
      channel,
      payload,
      strategy,
      unit,
      faster,
      slower,
      even: sizes('same'),
      undecided: sizes('open'),
    };
  });
}
