/** A run of a few messages on a busy machine, and payloads that no rewrite fits. */

import type { RatioEstimate, Sampled } from '../../../src/model/documents/measurement.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import { advice, measurement, payload, report, run, trial } from '../../make.ts';

const FEW: Sampled = { samples: 3, processes: 2 };
const TWO: Sampled = { samples: 2, processes: 2 };

/** Faster, and nobody knows how much. */
const UNKNOWN_SIZE: RatioEstimate = { ratio: 0.1, ci: [0.02, 0.7], ...FEW };

const slow = measurement(118e6);
const floor = { roundTrip: 97e6, send: 850, receive: 640 };

export const starved: Report = report(
  payload('frames', [
    run('node@24.21.0', {
      measurement: {
        ...slow,
        roundTrip: { ...slow.roundTrip, ci: [12e6, 1160e6], p95: 118e6, p99: 118e6, ...TWO },
        send: { median: 9e6, ci: [0.9e6, 95e6], ...TWO },
        receive: null,
        floor,
        overFloor: { ratio: 1.22, ci: [0.12, 12], ...TWO },
      },
      trials: [
        trial('json-text', 0.66, {
          withConversion: { ratio: 0.66, ci: [0.05, 8.93], ...FEW },
          inPlace: null,
          outcome: 'unsure',
          outcomeInPlace: 'unsure',
        }),
        trial('transfer', 0.02, {
          withConversion: { ratio: 0.02, ci: [0.002, 0.2], ...TWO },
          inPlace: null,
          outcome: 'unsure',
          outcomeInPlace: 'unsure',
        }),
      ],
      advice: advice('unsure', { needs: 30_000 }),
    }),
  ]),
  payload('ticks', [
    run('node@24.21.0', {
      trials: [trial('json-text', 0.1, { withConversion: UNKNOWN_SIZE, inPlace: null })],
      advice: advice('apply', { remedy: 'json-text', path: '$', gain: UNKNOWN_SIZE }),
    }),
  ]),
  payload('events', [
    run('node@24.21.0', {
      advice: advice('nothing', { obstacle: { path: '$.rows[0].at', what: 'is a Date' } }),
    }),
    run('bun@1.4.5', {
      trials: [
        trial('json-text', 0.5, {
          equality: 'lossy',
          losses: [{ path: '$.at', what: 'Date became string' }],
        }),
      ],
      advice: advice('nothing', {
        obstacle: { remedy: 'json-text', path: '$.at', what: 'Date became string' },
      }),
    }),
  ]),
  payload('buffer', [
    run('node@24.21.0', {
      trials: [trial('transfer', 0.91)],
      advice: advice('nothing', {
        bound: 0.88,
        available: {
          remedy: 'transfer',
          path: '$',
          gain: { ratio: 0.91, ci: [0.88, 0.94] },
          lines: 3,
          costs: ['the sender loses the buffers'],
        },
      }),
    }),
  ]),
);
