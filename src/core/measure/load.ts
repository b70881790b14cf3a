import type { LoadPoint } from '../../model/documents/measurement.ts';
import type { LoadOffer, LoadResult } from '../../model/wire/wire.ts';
import { median, quantile } from '../stats/quantiles.ts';

/** A longer queue ends the run. */
const MAX_WAITING_BYTES = 128e6;
const MAX_WAITING = 20_000;

/** How many messages of this size may wait; always more than a window holds. */
export function mostWaiting(offer: LoadOffer, bytes: number): number {
  const room = Math.min(MAX_WAITING, Math.ceil(MAX_WAITING_BYTES / Math.max(1, bytes)));
  return 'window' in offer ? Math.max(room, 2 * offer.window) : Math.max(room, 16);
}

/** Results of all processes of one offer; null when there are none. */
export function loadPoint(offer: LoadOffer, processes: readonly LoadResult[]): LoadPoint | null {
  if (processes.length === 0) return null;
  const latency = processes.flatMap((one) => one.latency);
  const waiting = processes.flatMap((one) => one.waiting);
  return {
    window: 'window' in offer ? offer.window : null,
    offered: 'perSecond' in offer ? offer.perSecond : null,
    throughput: median(processes.map(messagesPerSecond)),
    latency: { median: median(latency), p95: quantile(latency, 0.95), p99: quantile(latency, 0.99) },
    waiting: { median: median(waiting), most: quantile(waiting, 1) },
    growing: processes.every((one) => isGrowing(offer, one)),
    messages: processes.reduce((sum, one) => sum + one.messages, 0),
  };
}

const messagesPerSecond = ({ messages, elapsed }: LoadResult): number =>
  elapsed > 0 ? (messages * 1e9) / elapsed : 0;

const FALLING_BEHIND = 0.03;

/**
 * Does the queue grow without bound? A stall of the machine fills a queue too, but that queue empties again. So every
 * sample of the last quarter must be above all samples of the first, and fewer messages be received than are offered.
 */
function isGrowing(offer: LoadOffer, loaded: LoadResult): boolean {
  if ('window' in offer) return false;
  if (loaded.flooded) return true;
  const quarter = Math.floor(loaded.waiting.length / 4);
  if (quarter === 0) return false;
  const first = Math.max(...loaded.waiting.slice(0, quarter));
  const last = Math.min(...loaded.waiting.slice(-quarter));
  return last > first && messagesPerSecond(loaded) < (1 - FALLING_BEHIND) * offer.perSecond;
}

/** From `--load`, `--load 16`, `--load 5000/s`. */
export type RequestedLoad = LoadOffer | 'usual';

const USUAL_WINDOW = 16;
/** Share of the throughput of a full window: a realistic load that the receiver should keep up with. */
const USUAL_SHARE = 0.8;

export const firstOffer = (requested: RequestedLoad): LoadOffer =>
  requested === 'usual' ? { window: USUAL_WINDOW } : requested;

/** The rate that is measured after the usual window; null when the user asked for one offer. */
export function nextOffer(requested: RequestedLoad, first: LoadPoint | null): LoadOffer | null {
  if (requested !== 'usual' || first === null || first.throughput === 0) return null;
  return { perSecond: Number((USUAL_SHARE * first.throughput).toPrecision(2)) };
}
