/** Which sites of a recording cost most: before anything is measured, and after. */

import type { Measurement } from '../../model/documents/measurement.ts';
import type { RecordedMessages, Total } from '../../model/documents/recorded/recording.ts';
import type { TrafficCost } from '../../model/documents/recorded/traffic.ts';
import type { PostingApi } from '../../model/recording/recording.ts';
import { sumOf } from '../../model/sums.ts';

type RankedMessages = Pick<RecordedMessages, 'api' | 'count' | 'bytes' | 'send'>;

/** Time of all calls of a site, ns. Null if none was timed. */
export const sendNs = ({ send }: Pick<RankedMessages, 'send'>): number | null =>
  send === null || send.timed <= 0 ? null : send.total;

export function sumBytes(messages: readonly Pick<RankedMessages, 'bytes'>[]): Total | null {
  const sized = messages.flatMap(({ bytes }) => bytes ?? []);
  if (sized.length === 0) return null;
  return sized.reduce((all, { total, ci: [low, high], max }) => ({
    total: all.total + total,
    ci: [all.ci[0] + low, all.ci[1] + high],
    max: Math.max(all.max, max),
  }));
}

/** Before measuring, in ns of sending. If no call was timed: by bytes as the timed sites have them, else by count. */
export function sendWeights(messages: readonly RankedMessages[]): number[] {
  const timed = messages.flatMap((one) => {
    const ns = sendNs(one);
    return ns === null ? [] : [{ ns, bytes: one.bytes?.total ?? 0, count: one.count }];
  });
  const ns = sumOf(timed, (one) => one.ns);
  const perByte = ns / sumOf(timed, ({ bytes }) => bytes);
  const perMessage = ns / sumOf(timed, ({ count }) => count);
  const isKnown = (value: number) => Number.isFinite(value) && value > 0;
  return messages.map((one) => {
    const own = sendNs(one);
    if (own !== null) return own;
    if (one.bytes !== null) return one.bytes.total * (isKnown(perByte) ? perByte : 1);
    return one.count * (isKnown(perMessage) ? perMessage : 1);
  });
}

/** The rest of the cost is not worth the time to measure it. */
const COVERED = 0.95;
const MAX_SITES = 10;

/** Indices, the heaviest first. @param top number of sites; null: those that make 95 % of the weight, at most `most` */
export function heaviest(weights: readonly number[], top: number | null, most = MAX_SITES): number[] {
  const order = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  if (top !== null) return order.slice(0, top);
  const all = sumOf(weights, (weight) => weight);
  const taken: number[] = [];
  let covered = 0;
  for (const index of order.slice(0, most)) {
    if (taken.length > 0 && covered >= COVERED * all) break;
    taken.push(index);
    covered += weights[index]!;
  }
  return taken;
}

/**
 * Cost of one message for both threads, ns: the call and deserializing it. Half the round trip if the channel does not
 * have such a split; a structured clone does both in its one call.
 */
export function perMessageNs(api: PostingApi, { roundTrip, send, receive }: Measurement['floor']): number {
  if (api === 'structuredClone') return roundTrip;
  return send !== null && receive !== null ? send + receive : roundTrip / 2;
}

type RankedSite = { posted: RankedMessages; measurement: Measurement | null };

/**
 * The cost of each site: measured, else the time of sending. The two are never added: a share is of the sites measured
 * here, or of the time that all recorded calls took. @param leftNs time of sending of the sites that are not among them
 */
export function costsOf(sites: readonly RankedSite[], leftNs: number) {
  const measured = sites.map(({ posted: { api, count }, measurement: one }) => {
    if (one === null) return null;
    const [send, receive] = [one.send?.median ?? null, one.receive?.median ?? null];
    return count * perMessageNs(api, { roundTrip: one.roundTrip.median, send, receive });
  });
  const recorded = sites.map(({ posted }) => sendNs(posted));
  const all = { measured: sumOf(measured, (ns) => ns ?? 0), send: sumOf(recorded, (ns) => ns ?? 0) + leftNs };
  const shareOf = (ns: number, of: TrafficCost['of']) => (all[of] > 0 ? ns / all[of] : 0);
  const costs = sites.map(({ posted: { count } }, at): TrafficCost | null => {
    const of = measured[at] === null ? 'send' : 'measured';
    const ns = measured[at] ?? recorded[at] ?? null;
    if (ns === null) return null;
    return { perMessageNs: count > 0 ? ns / count : 0, totalMs: ns / 1e6, share: shareOf(ns, of), of };
  });
  return { costs, leftShare: shareOf(leftNs, 'send') };
}
