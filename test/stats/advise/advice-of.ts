/** What `advise` says of trials, with usual facts. */

import { SIMPLEST_FIRST } from '../../../src/codec/remedies/index.ts';
import type { Measurement, RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { Trial } from '../../../src/model/documents/trial.ts';
import { type AdviceFacts, advise } from '../../../src/stats/advise/advise.ts';
import * as make from '../../make.ts';

/** Of many samples: nearly a point. */
export const overFloor = (ratio: number): RatioEstimate => ({
  ratio,
  ci: [ratio * 0.999, ratio],
  samples: 300,
  processes: 3,
});

export const measurement = (medianNs: number, floorNs: number): Measurement =>
  make.measurement(medianNs, {
    floor: { roundTrip: floorNs, send: 1, receive: null },
    overFloor: overFloor(medianNs / floorNs),
  });

export const ratio = (low: number, middle: number, high: number): RatioEstimate => ({
  ratio: middle,
  ci: [low, high],
});
export const FASTER = ratio(0.4, 0.5, 0.6);
/** Of four messages on a busy machine. */
export const NOTHING: RatioEstimate = { ...ratio(0.05, 0.66, 8.93), samples: 4, processes: 2 };
export const SLOWER = ratio(1.4, 1.5, 1.6);
export const SAME = ratio(0.97, 1, 1.03);
export const OPEN = ratio(0.8, 1, 1.2);
/** One message of the original was timed. */
export const ONE_SAMPLE: RatioEstimate = { ...ratio(0.001, 0.02, 0.3), samples: 1, processes: 1 };

export const trial = (
  remedy: string,
  withConversion: RatioEstimate | null,
  over: Partial<Trial> = {},
): Trial =>
  make.trial(remedy, null, {
    withConversion,
    outcome: withConversion === FASTER ? 'faster' : withConversion === SLOWER ? 'slower' : 'unsure',
    outcomeInPlace: 'unsure',
    ...over,
  });

export const codeOf = (remedy: string) => ({ sender: `send(${remedy})`, receiver: `receive(${remedy})` });
export const adviceOn = (trials: Trial[], over: Partial<AdviceFacts> = {}) =>
  advise({
    measurement: measurement(1_000_000, 100_000),
    verdict: make.verdict(),
    trials,
    untried: [],
    obstacle: null,
    spentMs: 5000,
    simplestFirst: SIMPLEST_FIRST,
    codeOf,
    costsOf: (remedy) => (remedy === 'transfer' ? ['the sender loses the buffers'] : []),
    ...over,
  });

export const of = (remedy: string, low: number, middle: number, high: number): Trial =>
  trial(remedy, ratio(low, middle, high), { outcome: 'faster' });
