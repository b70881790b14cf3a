import type { RunNoise } from '../../../src/model/documents/measurement.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import { measurement, payload, report, run } from '../../make.ts';

const NOISE: RunNoise = {
  floor: { spread: 0.4, drift: 0.5, bursts: 0.07, modes: 2 },
  beyond: ['stolen', 'throttled', 'spread', 'drift', 'bursts', 'modes'],
  strain: { stolen: 0.06, throttled: 0.12 },
  widened: 0.48,
};

/** A noisy machine, and messages that block a thread; two runs of one section. */
export const noise: Report = report(
  payload('frames', [
    run('node@24.21.0', {
      noise: NOISE,
      measurement: measurement(31_000_000, {
        phases: {
          oneWay: 15_000_000,
          send: 9_610_000,
          receive: 1_640_000,
          transit: 12_000,
          unaccounted: 3_738_000,
        },
        blocked: {
          senderNs: 52_000_000,
          receiverNs: 14_000_000,
          longestNs: 61_000_000,
          exceeds: 'long-task',
        },
      }),
    }),
    run('node@26.10.0', {
      noise: { ...NOISE, beyond: ['drift'], widened: 0 },
      measurement: measurement(29_000_000, {
        blocked: { senderNs: 9_000_000, receiverNs: 22_000_000, longestNs: 30_000_000, exceeds: 'frame' },
      }),
    }),
  ]),
);
