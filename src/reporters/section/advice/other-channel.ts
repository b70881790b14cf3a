/** Between processes: what the other serialization would cost, and what would arrive otherwise. */
import { lackText } from '../../../core/evidence.ts';
import type { ChannelChange } from '../../../model/documents/classification.ts';
import type { RatioEstimate } from '../../../model/documents/measurement.ts';
import type { OtherChannel, Run } from '../../../model/documents/report.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { ratioInterval, ratio as ratioText } from '../../text/numbers.ts';
import type { Statement } from '../model/model.ts';
import { runtimeName } from '../model/run-groups.ts';
import { code, type Sentence, sentence, type Tone } from '../model/sentence.ts';
import { gainText } from './gain-text.ts';

const optionOf = ({ channel }: OtherChannel) =>
  code(`serialization: '${channel === 'ipc-json' ? 'json' : 'advanced'}'`);

const MAX_CHANGES = 3;

function changes(what: string, all: readonly ChannelChange[], words: Wording): Sentence[] {
  if (all.length === 0) return [];
  const parts = all.slice(0, MAX_CHANGES).map(({ rule, path, count }, at): Sentence => {
    const title = words.rules[rule]?.title ?? rule;
    return sentence`${at === 0 ? '' : ', '}${code(path)} (${title}${count > 1 ? `, ${count}×` : ''})`;
  });
  const rest = all.length > MAX_CHANGES ? ` and ${all.length - MAX_CHANGES} more` : '';
  return [sentence`${what} ${parts.flat()}${rest}.`];
}

function speedOf(other: OtherChannel): Sentence {
  const { outcome, ratio } = other;
  if (outcome === 'refused') return sentence`${optionOf(other)} would refuse this message.`;
  if (ratio === null) return sentence`${optionOf(other)} could not be timed.`;
  return sentence`With ${optionOf(other)}, for all messages of the child: ${outcome === 'unsure' ? openText(ratio) : gainText([ratio])}, timed in turns.`;
}

export function openText(estimate: RatioEstimate): string {
  const lack = lackText(estimate, 'size');
  const interval = `${ratioText(estimate.ratio)} of the time, 95 % interval ${ratioInterval(estimate)}`;
  return lack === null ? `no difference is proven (${interval})` : `not decided (${lack})`;
}

const arrives = ({ kept, lost }: OtherChannel): Sentence[] =>
  kept.length + lost.length === 0 ? [['What arrives is the same.']] : [];

const toneOf = ({ outcome, lost }: OtherChannel): Tone =>
  outcome === 'faster' && lost.length === 0 ? 'good' : 'muted';

/** One for all runs of a section, which differ in their times alone. */
export function otherChannelStatements(runs: readonly Run[], words: Wording): Statement[] {
  const known = runs.flatMap((run) => (run.otherChannel ? { run, other: run.otherChannel } : []));
  const [first] = known;
  if (first === undefined) return [];
  const { other } = first;
  const speeds = known.map(({ run, other: one }) =>
    runs.length === 1 ? speedOf(one) : sentence`${runtimeName(run)}: ${speedOf(one)}`,
  );
  const isFaster = known.some(({ other: { outcome } }) => outcome === 'faster');
  const rest = isFaster
    ? [
        ...changes('Arrives there as it is, and not here:', other.kept, words),
        ...changes('Lost there:', other.lost, words),
        ...arrives(other),
      ]
    : changes('Lost there:', other.lost, words);
  return [{ label: 'channel', tone: toneOf(other), sentences: [...speeds, ...rest] }];
}
