/** Costs of sites in words. Measured costs and the times of recorded calls are never added or put into one column. */

import type { AnalyzedRecording, Traffic, TrafficCost } from '../../../model/documents/recorded/traffic.ts';
import { counted, percent, time } from '../../text/numbers.ts';
import { muted, type Sentence, type Span } from './sentence.ts';

type Costed = { traffic: Pick<Traffic, 'cost'> };
export type CostKind = TrafficCost['of'];

/** Kind of cost in a table of these sites: measured, if any site was measured. */
export const kindOf = (sites: readonly Costed[]): CostKind =>
  sites.some(({ traffic }) => traffic.cost?.of === 'measured') ? 'measured' : 'send';

/** Cost of a site, or null if it is of a different kind. */
export const costOf = ({ traffic: { cost } }: Costed, kind: CostKind): TrafficCost | null =>
  cost?.of === kind ? cost : null;

export function costCell({ traffic: { cost } }: Costed, kind: CostKind): string | Span {
  if (cost === null) return '';
  return cost.of === kind ? time(cost.totalMs * 1e6) : muted('unmeasured');
}

/** "2.0 % of the time that all recorded calls took" */
export const SHARE_OF: Readonly<Record<CostKind, string>> = {
  measured: 'what was measured',
  send: 'the time that all recorded calls took',
};

export function costSentences(sites: readonly Costed[]): Sentence[] {
  const costs = sites.flatMap(({ traffic }) => traffic.cost ?? []);
  if (costs.length === 0) return [];
  if (kindOf(sites) === 'send')
    return [['Cost: how long the recorded calls took; what the receiver pays is not in it.']];
  const recorded = costs.filter(({ of }) => of === 'send');
  const cost =
    'Cost: messages × send and receive of one, measured here; shares are of the sites that were measured.';
  return [[cost], ...(recorded.length === 0 ? [] : [recordedSentence(recorded)])];
}

function recordedSentence(costs: readonly TrafficCost[]): Sentence {
  const sum = (of: 'totalMs' | 'share') => costs.reduce((all, cost) => all + cost[of], 0);
  const whose = counted(costs.length, 'site');
  return [
    `Unmeasured: ${whose}; the calls took ${time(sum('totalMs') * 1e6)} in the program, ${percent(sum('share'))} of ${SHARE_OF.send}.`,
  ];
}

/** Sites that were left out. They are not measured, so all shares in this sentence are of the recorded calls. */
export function leftSentences({ left }: AnalyzedRecording, sites: readonly Costed[]): Sentence[] {
  if (left.groups === 0) return [];
  const others = `; the sites above have ${percent(1 - left.share)}`;
  const share = `, ${percent(left.share)} of ${SHARE_OF.send}${kindOf(sites) === 'measured' ? others : ''}`;
  const more = `And ${counted(left.groups, 'more site')}: ${counted(left.messages, 'message')}`;
  // The number can be typed, since it lacks a comma.
  const all = `--top ${left.groups + sites.length} analyzes all.`;
  return left.share > 0 ? [[`${more}${share}. ${all}`]] : [[`${more}; ${all}`]];
}
