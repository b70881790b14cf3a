/** How late messages reached their listener, and what the thread of the receiver did meanwhile. */
import { placeOfSite } from '../../../core/recording/sites/site-names.ts';
import type { Listener } from '../../../model/documents/recorded/call-site.ts';
import type { RecordedMessages, Wait } from '../../../model/documents/recorded/recording.ts';
import type { Traffic } from '../../../model/documents/recorded/traffic.ts';
import type { PayloadReport } from '../../../model/documents/report.ts';
import { counted, medianText, percent, time } from '../../text/numbers.ts';
import type { Statement } from '../model/model.ts';
import { code, type Sentence, sentence } from '../model/sentence.ts';
import { frameOf, lineText, threadText } from './places.ts';

/** Less is not explained: threads take turns. */
const LATE_NS = 1e6;
/** A smaller part of the time explains nothing. */
const MIN_SHARE = 0.05;

export function lateStatements({ runs }: PayloadReport, { wait }: Traffic): Statement[] {
  if (wait === undefined) return [];
  const why = wait.max < LATE_NS ? [] : meanwhile(wait);
  return [{ label: 'late', sentences: [[reachedText(wait)], ...why, [deserializedText(runs)]] }];
}

const reachedText = ({ followed, median, max }: Wait): string =>
  `From the call to the listener: ${medianText({ median })} (median of ${counted(followed, 'message')} followed), at most ${time(max)}.`;

function deserializedText(runs: PayloadReport['runs']): string {
  const receive = runs.find(({ measurement }) => measurement?.receive)?.measurement?.receive ?? null;
  return receive === null
    ? 'To deserialize them is in that, and was not measured.'
    : `To deserialize them is in that: ${medianText(receive)} each, measured here.`;
}

interface Shares {
  unready: number;
  receiving: number;
  rest: number;
}

/** Of all the time that was followed. */
function sharesOf({ total, unready, receiving }: Wait): Shares {
  const shareOf = (part: number) => Math.min(1, part / Math.max(1, total));
  const known = Math.min(1, shareOf(unready) + shareOf(receiving));
  return { unready: shareOf(unready), receiving: shareOf(receiving), rest: 1 - known };
}

function meanwhile(wait: Wait): Sentence[] {
  const { unready, receiving, rest } = sharesOf(wait);
  const isKnown = rest < 1 - MIN_SHARE;
  const other = isKnown ? `in the other ${percent(rest)}` : 'meanwhile';
  return [
    ...(unready < MIN_SHARE
      ? []
      : [[`For ${percent(unready)} of that time the receiver did not listen yet.`]]),
    ...(receiving < MIN_SHARE
      ? []
      : [
          sentence`For ${percent(receiving)} of that time the receiver was busy with earlier messages${inListener(wait.listener)}.`,
        ]),
    ...(rest < MIN_SHARE ? [] : [[`What it did ${other} is not known.`]]),
  ];
}

function inListener(listener: Listener | null): Sentence {
  if (listener === null) return ['; which of its listeners is not known'];
  const frame = frameOf(listener.site);
  const name = listener.name === null ? '' : [' ', code(listener.name)];
  const at = frame === null ? '' : [' registered at ', code(lineText(frame))];
  return sentence`, in the listener${name}${at}`;
}

/** A frame of 60 Hz. */
const NOTABLE_NS = 1e9 / 60;

/** Of a recording the site whose messages waited longest for a receiver that listened; null where none was late. */
export function latestText(messages: readonly RecordedMessages[]): string | null {
  const lateOf = ({ wait }: RecordedMessages) =>
    wait === undefined ? 0 : Math.max(0, wait.total - wait.unready) / Math.max(1, wait.followed);
  const [first] = [...messages].sort((a, b) => lateOf(b) - lateOf(a));
  if (first?.wait === undefined || lateOf(first) < NOTABLE_NS) return null;
  const { wait, to } = first;
  const why = meanwhile(wait).map((spans) =>
    spans.map((span) => (typeof span === 'string' ? span : span.text)).join(''),
  );
  return [`${placeOfSite(first)} to ${threadText(to ?? '')}: ${reachedText(wait)}`, ...why].join(' ');
}
