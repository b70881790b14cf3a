/** What is wrong with how the messages of a site are posted, in sentences. */
import type { Traffic, TrafficFinding } from '../../../model/documents/recorded/traffic.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { bytes, count, counted, percent, time } from '../../text/numbers.ts';
import { foldedPath } from '../../text/paths.ts';
import type { Statement } from '../model/model.ts';
import type { Sentence } from '../model/sentence.ts';

/** Words of titles that are others for one of them, and for one of one. */
const ONE: Readonly<Record<string, string>> = { were: 'was', are: 'is', have: 'has' };
const ONE_OF: Readonly<Record<string, string>> = { messages: 'message', entries: 'entry', calls: 'call' };

/** "4 of 12 timed calls took ...", about 41.9 MB; the fix would save about 12.0 ms" */
export function findingText(finding: TrafficFinding, title = `${finding.rule}: {count} of {of}`): string {
  const {
    count: found,
    of = found,
    bytes: size,
    ns,
    hereNs,
    savesMs,
    equal = 0,
    paths = [],
    share = 1,
  } = finding;
  const words: Readonly<Record<string, string>> = {
    ...{ count: count(found), of: count(of ?? found), ns: time(ns ?? 0), here: time(hereNs ?? 0) },
    // Of long lists and texts some parts stand for all: never all of it.
    equal: `${Math.min(99, Math.floor(equal * 100))} %`,
    share: percent(share),
    paths: paths.length === 0 ? 'parts that were not looked at' : paths.map(foldedPath).join(', '),
    ...((of ?? found) === 1 ? ONE_OF : {}),
    ...(found === 1 ? ONE : {}),
  };
  const filled = title.replace(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(words, name) ? words[name]! : name,
  );
  const amount = size === null ? '' : `, about ${bytes(size)}`;
  const saves = savesMs === null ? '' : `; the fix would save about ${time(savesMs * 1e6)}`;
  return `${filled}${amount}${saves}.`;
}

export function findingStatement(finding: TrafficFinding, traffic: Traffic, words: Wording): Statement {
  const row = words.traffic[finding.rule];
  const text = findingText(finding, row?.title);
  const isSlow = row?.level === 'slow';
  return {
    label: isSlow ? 'fix' : 'see',
    sentences: [
      [isSlow ? { text, tone: 'poor' } : text],
      ...(finding.rule === 'slow-calls' ? knownOfCalls(traffic) : []),
    ],
    explanations: row ? [{ rule: finding.rule, text: `${row.why} ${row.fix}`, source: row.source }] : [],
  };
}

/** Fewer waiting messages are no queue. */
const MIN_QUEUE = 16;
/** Half of the calls took less than a fifth of the mean: others took nearly all of the time. */
const MIN_SKEW = 5;

/** What was recorded beside the slow calls; which of it made them slow is not known. */
function knownOfCalls({ send, queue, from, threads, count: sent }: Traffic): Sentence[] {
  if (send === null) return [];
  const [half, most] = [time(send.median), time(send.max)];
  const isRare = send.total / Math.max(1, sent) >= MIN_SKEW * send.median;
  const calls = isRare
    ? `Half of the calls took at most ${half}: the others, at most ${most} each, took nearly all of the time`
    : `They were long throughout: half of them took more than ${half}`;
  const poster =
    threads > 1
      ? `; ${counted(threads, 'thread')} posted`
      : from === 'main'
        ? '; the main thread posted'
        : '';
  const waiting =
    queue !== null && queue.max >= MIN_QUEUE
      ? `, and up to ${count(queue.max)} messages waited for the receiver`
      : '';
  return [[`${calls}${poster}${waiting}.`]];
}
