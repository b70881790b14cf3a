import type { Blocked, Measurement, Phases } from '../../model/documents/measurement.ts';
import { carries } from '../evidence.ts';
import { quantile } from '../stats/quantiles.ts';

type TripTimes = Pick<Measurement, 'roundTrip' | 'floor' | 'send' | 'receive'>;

/**
 * Phases of one way, which is half of the symmetric round trip. Transit is what the empty message takes besides its own
 * sending and receiving: waking the thread, the event loop, the listener. The rest is reported as unaccounted and not
 * distributed: caches that are cold after the other thread's work, collector pauses between the two, or, where negative,
 * work that both threads did at the same time. Null where the channel has no receiving side, or times are not known.
 */
export function phasesOf({ roundTrip, send, receive, floor }: TripTimes): Phases | null {
  if (send === null || floor.send === null) return null;
  if (receive === null || floor.receive === null || floor.roundTrip === 0) return null;
  if (![roundTrip, send, receive].every((time) => carries(time, 'size'))) return null;
  const oneWay = roundTrip.median / 2;
  const transit = Math.max(0, floor.roundTrip / 2 - floor.send - floor.receive);
  const unaccounted = oneWay - send.median - receive.median - transit;
  return { oneWay, send: send.median, receive: receive.median, transit, unaccounted };
}

/** A frame at 60 Hz, and the W3C's "long task" (Long Tasks API, section 1). */
const NOTICED_NS = { frame: 16e6, 'long-task': 50e6 } as const;

const BLOCKED_QUANTILE = 0.99;

/**
 * How long one message blocks a thread: the maximum of 99 in 100, so that one time slice taken by the machine does not
 * make a finding, and the maximum of all. Conversions are not included; they count with the remedies.
 */
export function blockedOf(sends: readonly number[], receives: readonly number[]): Blocked | null {
  if (sends.length === 0) return null;
  const senderNs = quantile(sends, BLOCKED_QUANTILE);
  const receiverNs = receives.length === 0 ? null : quantile(receives, BLOCKED_QUANTILE);
  const worst = Math.max(senderNs, receiverNs ?? 0);
  return {
    senderNs,
    receiverNs,
    longestNs: Math.max(quantile(sends, 1), quantile(receives, 1) || 0),
    exceeds: worst > NOTICED_NS['long-task'] ? 'long-task' : worst > NOTICED_NS.frame ? 'frame' : null,
  };
}
