/** Conditions of the measurement, and results of the payload under other conditions. */
import { carries, carriesQuantile, lackText } from '../../core/evidence.ts';
import { oneWayNs } from '../../core/one-way.ts';
import type { ChannelChange } from '../../model/documents/classification.ts';
import type {
  Answers,
  Measurement,
  Phases,
  RatioEstimate,
  RunNoise,
} from '../../model/documents/measurement.ts';
import type { OtherChannel, Run } from '../../model/documents/report.ts';
import { channelRow } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import { item, type Node } from '../doc.ts';
import { runtimeName } from '../section/model/run-groups.ts';
import { code, type Sentence, sentence, sentenceCase, type Tone } from '../section/model/sentence.ts';
import { percent, speedWithInterval, time } from '../text/numbers.ts';

/** Items of each run. If several runs share a heading, each item begins with the name of its runtime. */
export const conditionItems = (runs: readonly Run[], words: Wording): Node[] =>
  runs.flatMap((run) => {
    const notes = [
      ...storedText(run),
      ...readBackText(run),
      ...(run.measurement ? [...pageText(run.measurement), ...blockedText(run.measurement)] : []),
    ];
    const all: Labelled[] = [
      ...otherChannelItems(run, words),
      ...builtLaterItems(run),
      ...notes.map((note): Labelled => ({ label: 'note', sentences: [[note]] })),
      ...noiseText(run.noise).map(
        (note): Labelled => ({ label: 'noise', sentences: [[note]], tone: 'muted' }),
      ),
    ];
    const of: Sentence = runs.length === 1 ? [] : [`${runtimeName(run)}: `];
    return all.map(({ label, sentences: [first = [], ...more], tone }) =>
      item(label, [[...of, ...first], ...more], tone === undefined ? {} : { tone }),
    );
  });

interface Labelled {
  label: string;
  sentences: readonly Sentence[];
  tone?: Tone;
}

/** Minimum remainder that is mentioned: medians of four quantities do not add up exactly. */
const NOTICED_REST = 0.15;

/** "transit 12.0 µs", "300 µs of each way (22 %) is unaccounted for". */
export function phaseFacts(phases: Phases): string[] {
  const { oneWay, transit, unaccounted } = phases;
  const share = Math.abs(unaccounted) / oneWay;
  const rest = `${time(Math.abs(unaccounted))} of each way (${percent(share)})`;
  const text = unaccounted > 0 ? `${rest} is unaccounted for` : `${rest} overlaps: both threads work at once`;
  // A larger overlap means that messages timed one way were slower than round trips, so it is not reported.
  const mostOverlap = Math.min(phases.send, phases.receive) + transit;
  const isTold = share >= NOTICED_REST && unaccounted >= -mostOverlap;
  return [`transit ${time(transit)}`, ...(isTold ? [text] : [])];
}

const EXCEEDED = {
  frame: 'longer than a frame at 60 Hz (16 ms)',
  'long-task': 'a long task (over 50 ms): everything else on that thread waits',
} as const;

function blockedText({ blocked, database, roundTrip: { samples }, send, receive }: Measurement): string[] {
  if (blocked == null || blocked.exceeds === null) return [];
  const { senderNs, longestNs, exceeds } = blocked;
  const receiver = blocked.receiverNs ?? 0;
  const sides = database ? ['thread that reads request.result', 'thread that puts'] : ['receiver', 'sender'];
  const [thread, ns] = receiver > senderNs ? [sides[0], receiver] : [sides[1], senderNs];
  const effect = EXCEEDED[exceeds];
  const typical = receiver > senderNs ? receive : send;
  const usual = typical === null ? '' : ` (typically ${time(typical.median)})`;
  const most = `99 of 100 messages block the ${thread} for up to ${time(ns)}${usual}, ${effect}.`;
  if (carriesQuantile(samples, 0.99)) return [`${most} The longest took ${time(longestNs)}.`];
  const which = samples === 1 ? 'The one message timed' : `The longest of ${samples} messages`;
  return [`${which} blocked the ${thread} for ${time(longestNs)}, ${effect}.`];
}

const NOISES: Record<RunNoise['beyond'][number], (noise: RunNoise) => string> = {
  waited: ({ waited }) =>
    `sender and receiver waited for a core for ${percent(waited ?? 0)} of a round trip each, so that rewrites are compared by the time that they had one`,
  stolen: ({ strain }) => `CPU steal took ${percent(strain?.stolen ?? 0)} of the time`,
  throttled: ({ strain }) => `CPU throttling took ${percent(strain?.throttled ?? 0)} of the time`,
  spread: ({ floor }) =>
    `the same empty message differed by ${percent(floor?.spread ?? 0)} between processes`,
  drift: ({ floor }) =>
    `the empty message drifted by ${percent(Math.expm1(floor?.drift ?? 0))} within a process`,
  bursts: ({ floor }) => `${percent(floor?.bursts ?? 0)} of the empty messages took over five times as long`,
  modes: () => 'the empty message had two speeds',
};

/** Minimum that is printed: smaller percentages would read 0. */
const MIN_WIDENED = 0.005;

function noiseText(noise: RunNoise | undefined): string[] {
  if (noise === undefined || noise.beyond.length === 0) return [];
  const widened = noise.widened >= MIN_WIDENED ? ` Intervals are widened by ${percent(noise.widened)}.` : '';
  return [`${sentenceCase(noise.beyond.map((kind) => NOISES[kind](noise)).join('; '))}.${widened}`];
}

const NOT_ITS_OWN =
  'Memory is not known: clone-prof did not start this browser and cannot look into its process.';
const SAME_PROCESS =
  'Over a network the page is only reloaded between samples, mostly in one process of the browser: earlier measurements may influence these times.';

/** Answers of a receiver that does not have a document. */
const ANSWERS: Record<Answers['with'], string> = {
  handed: 'it answers with copies of one that the page handed over.',
  empty:
    'only the page can have it, and it can only be moved: answers are empty, so that the round trip has the payload in one direction.',
};

function pageText({ page, link, send, answers }: Measurement): string[] {
  const steps = `, and its clock has steps of ${time(page?.clockStepNs ?? 0)}: send is not known either`;
  const shared =
    'This page is not isolated: its threads share no memory, so receive and memory are not known';
  return [
    ...(page && !page.sharesMemory ? [`${shared}${send === null ? steps : ''}.`] : link ? [NOT_ITS_OWN] : []),
    ...(link === 'network' ? [SAME_PROCESS] : []),
    ...(answers ? [`The receiver cannot build the payload (${answers.why}): ${ANSWERS[answers.with]}`] : []),
  ];
}

/** Reading back is a cost that no rewrite of the message can save. */
function readBackText({ readBackNs, measurement, channel }: Run): string[] {
  if (readBackNs === undefined || !measurement) return [];
  const postNs = channel === 'structured-clone' ? measurement.roundTrip.median : oneWayNs(measurement);
  if (!carries(measurement.roundTrip, 'size') || readBackNs < postNs) return [];
  return [
    `Reading the canvas back takes ${time(readBackNs)} for each payload, posting it ${time(postNs)}. If the receiver only draws it, post an ImageBitmap of the canvas, in the transfer list; if it needs the pixels, getContext('2d', { willReadFrequently: true }) keeps them readable.`,
  ];
}

function storedText({ channel, measurement }: Run): string[] {
  const { trip } = channelRow(channel);
  return trip !== undefined && measurement ? [trip] : [];
}

// Facts about the other serialization between processes: its cost, and values that would arrive differently.

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
  return sentence`With ${optionOf(other)}, for all messages of the child: ${comparedText(other.outcome, ratio)}, timed in turns.`;
}

function comparedText(outcome: OtherChannel['outcome'], ratio: RatioEstimate): string {
  if (outcome !== 'unsure') return speedWithInterval(ratio);
  const lack = lackText(ratio, 'size');
  return lack === null ? `no difference is proven (${speedWithInterval(ratio)})` : `not decided (${lack})`;
}

function otherChannelItems({ otherChannel: other }: Run, words: Wording): Labelled[] {
  if (!other) return [];
  const { outcome, kept, lost } = other;
  const isFaster = outcome === 'faster';
  const rest = [
    ...(isFaster ? changes('Arrives there unchanged, and not here:', kept, words) : []),
    ...changes('Lost there:', lost, words),
    ...(isFaster && kept.length + lost.length === 0 ? [['What arrives is the same.']] : []),
  ];
  const tone = isFaster && lost.length === 0 ? 'good' : 'muted';
  return [{ label: 'channel', tone, sentences: [speedOf(other), ...rest] }];
}

/** V8 stores a value differently if its thread has received such a message before. */
function builtLaterItems({ builtLater }: Run): Labelled[] {
  if (builtLater == null) return [];
  const { path, ratio, outcome } = builtLater;
  const times = ratio == null ? [] : [[`Posting it then: ${comparedText(outcome ?? 'unsure', ratio)}.`]];
  const what = sentence`A thread that has received such a message stores values that it builds later differently, at ${code(path)}. Verdict, times and rewrites are of one that was built before.`;
  return [{ label: 'later', tone: 'muted', sentences: [what, ...times] }];
}
