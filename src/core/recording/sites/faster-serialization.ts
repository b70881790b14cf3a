/** Whether a child is to be started with the other serialization: by all of its messages, in both directions. */
import type { RecordedMessages } from '../../../model/documents/recorded/recording.ts';
import type { TrafficCost } from '../../../model/documents/recorded/traffic.ts';
import type { OtherChannel } from '../../../model/documents/report.ts';
import { carries } from '../../evidence.ts';
import { NO_DIFFERENCE } from '../../stats/decision.ts';
import type { FasterChannel } from './lint.ts';

interface ProcessSite {
  posted: Pick<RecordedMessages, 'from' | 'to' | 'serialization'>;
  cost: TrafficCost | null;
  other: OtherChannel | undefined;
}

const linkOf = ({ posted: { from, to, serialization } }: ProcessSite): string =>
  JSON.stringify([[from, to ?? ''].sort(), serialization ?? 'json']);

/** A message would be refused, or arrive as another. */
const loses = ({ other }: ProcessSite): boolean =>
  other !== undefined && (other.outcome === 'refused' || other.lost.length > 0);

/** Null where the site gains nothing by it, another of the same child loses something, or all together do not gain. */
export function fasterSerialization(site: ProcessSite, all: readonly ProcessSite[]): FasterChannel | null {
  const { other } = site;
  if (other?.outcome !== 'faster' || !carries(other.ratio, 'size')) return null;
  const link = all.filter((one) => linkOf(one) === linkOf(site));
  if (link.some(loses)) return null;
  let [now, then] = [0, 0];
  for (const { cost, other: one } of link) {
    if (cost?.of !== 'measured' || one?.ratio == null) continue;
    now += cost.totalMs;
    then += cost.totalMs * one.ratio.ratio;
  }
  if (now > 0 && then > NO_DIFFERENCE.from * now) return null;
  return { channel: other.channel, share: other.ratio.ratio };
}
