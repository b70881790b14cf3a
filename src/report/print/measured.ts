/** Times and memory of the runs of a payload, conditions of the measurement, and results under other conditions. */

import type { ChannelChange } from '../../model/documents/classification.ts';
import type {
  Answers,
  Estimate,
  Histogram,
  Measurement,
  Phases,
  RatioEstimate,
  RoundTrip,
  RunNoise,
} from '../../model/documents/measurement.ts';
import type { OtherChannel, Run } from '../../model/documents/report.ts';
import { channelRow } from '../../model/names.ts';
import { advisedTrial } from '../../model/report/runs.ts';
import { carries, carriesQuantile, lackText } from '../../stats/evidence.ts';
import { oneWayNs } from '../../stats/race/judge.ts';
import type { ChartOf, TimesRow } from '../charts.ts';
import { amounts, columnsOf, known } from '../columns.ts';
import { type Body, drawing, facts, item, tableOf } from '../nodes.ts';
import {
  bytes,
  count,
  counted,
  medianText,
  messageMemory,
  percent,
  speedWithInterval,
  time,
  timeInterval,
} from '../text/numbers.ts';
import { code, flat, muted, sentence, sentenceCase, separated, type Tone, type Words } from '../words.ts';
import { rewriteName } from './rewrites.ts';
import { adviceMark, adviceShort, adviceWithGain, gainOf } from './runs.ts';
import { causeTitle, runNames, runtimeName, statusText } from './texts.ts';

export function timeNodes(runs: readonly Run[]): Body {
  const chart = timesChart(runs);
  if (chart === null) return null;
  const nameOf = runNames(runs);
  const measured = runs.filter(({ measurement }) => measurement !== null);
  return [
    drawing(chart),
    measured.map((run) =>
      facts([measured.length > 1 && nameOf(run), measuringFacts(run.measurement as Measurement)]),
    ),
  ];
}

/** Null if no run was measured. */
export function timesChart(runs: readonly Run[]): ChartOf<'times'> | null {
  const measured = runs.flatMap((run) => (run.measurement ? [{ run, measurement: run.measurement }] : []));
  if (measured.length === 0) return null;
  const nameOf = runNames(runs);
  const quantities = measured.flatMap(({ run, measurement }) =>
    quantitiesOf(run, measurement).map(([name, estimate, floor], at) => {
      const trip = at === 0 ? measurement.roundTrip : null;
      // Of several runs, the row of the round trip has the name, and the other times of the run follow.
      return { name: trip && measured.length > 1 ? nameOf(run) : name, estimate, floor, trip };
    }),
  );
  const columns = columnsOf(quantities, [
    { head: '', cell: ({ name }) => name },
    amounts('median', ({ estimate }) => known(estimate, medianText)),
    amounts('95 % interval', ({ estimate }) => known(estimate, timeInterval), 2),
    amounts('p95', ({ trip }) => known(trip, p95Text), 1),
    amounts('empty message', ({ floor }) => known(floor, time), 3),
    {
      head: 'distribution',
      cell: ({ trip }) => known(trip && seenIn(trip), (histogram) => ({ histogram })),
      rank: 0,
    },
  ]);
  const rows = measured.map(({ run, measurement }) => timesRow(run, measurement, nameOf(run)));
  const title = `A round trip now${rows.some(({ best }) => best) ? ', and with the advised rewrite' : ''}`;
  return { kind: 'times', title, columns, rows };
}

type Quantity = [name: string, estimate: Estimate | null | undefined, floor: number | null | undefined];

/** Times of one run in the order in which they pass; the first is the round trip. */
function quantitiesOf({ channel }: Run, { roundTrip, send, receive, floor, database }: Measurement) {
  const { directions: names = { send: 'send', receive: 'receive' } } = channelRow(channel);
  const all: Quantity[] = [
    ['round trip', roundTrip, floor.roundTrip],
    [names.send, send, floor.send],
    ['transaction', database?.transaction, database?.floor.transaction],
    [names.receive, receive, floor.receive],
    ['request.result (blocks)', database?.result, database?.floor.result],
  ];
  return all.filter(([, estimate]) => estimate != null);
}

/** Omits an unreliable p95: reports of earlier versions have it for any number of samples. */
const p95Text = ({ p95, samples }: RoundTrip): string =>
  carriesQuantile(samples, 0.95) ? known(p95, time) : '';

/** Null for the distribution of no messages. */
const seenIn = ({ histogram }: { histogram?: Histogram | undefined }): Histogram | null =>
  histogram?.counts.some((seen) => seen > 0) ? histogram : null;

function measuringFacts({ sender, roundTrip, cold, phases, peakMemory, gc }: Measurement) {
  const { samples, messagesPerSample = 1, processes } = roundTrip;
  const blocks = `${counted(samples, 'block')} of ${messagesPerSample} messages, as the clock is coarse,`;
  return flat<string>([
    `${messagesPerSample > 1 ? blocks : counted(samples, 'message')} in ${counted(processes, 'process', 'processes')}`,
    sender === 'worker' && 'posted by a worker',
    cold.roundTrip !== null && `first message ${time(cold.roundTrip)}`,
    phases && phaseFacts(phases),
    peakMemory && `memory ${messageMemory(peakMemory)} per message (${count(peakMemory.messages)} in flight)`,
    gc !== null && `garbage collection ${percent(gc.share)}`,
  ]).map(muted);
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

function timesRow(run: Run, { roundTrip, floor }: Measurement, name: string): TimesRow {
  const { median, ci, samples, p95 } = roundTrip;
  const gain = gainOf(run);
  const trial = run.advice && gain && advisedTrial(run.advice, run);
  const status = statusText(run);
  return {
    ...{
      name,
      status,
      advice: adviceMark(run, adviceWithGain(adviceShort(run), gain)),
      floor: floor.roundTrip,
    },
    // An interval that is not reliable is not drawn.
    now: { median, ci: carries(roundTrip, 'size') ? ci : [median, median], histogram: seenIn(roundTrip) },
    // Ratios are compared within a process, so the interval is scaled from the ratio's interval.
    best: carries(gain, 'size')
      ? {
          median: median * gain.ratio,
          ci: [median * gain.ci[0], median * gain.ci[1]],
          histogram: trial ? seenIn(trial) : null,
        }
      : null,
    p95: carriesQuantile(samples, 0.95) ? p95 : null,
  };
}

/** Maximum ratio of amounts that count as equal: such a table would not show anything. */
const ALIKE = 1.1;

/** Memory of the original and of each rewrite; null if no rewrite's memory was measured. */
export function memoryNode(runs: readonly Run[]): Body {
  if (runs.every(({ trials }) => trials.every(({ peakMemory }) => peakMemory === null))) return null;
  const rows = runs.flatMap((run) => {
    const original = run.measurement?.peakMemory?.perMessage;
    if (original === undefined) return [];
    const rewrites = run.trials.flatMap((trial) =>
      trial.peakMemory === null
        ? []
        : { run, name: rewriteName(trial, run.trials), value: trial.peakMemory.ratio * original },
    );
    return [{ run, name: 'original', value: original }, ...rewrites];
  });
  const values = rows.map(({ value }) => value);
  const most = Math.max(...values);
  if (most <= ALIKE * Math.min(...values)) return null;
  return tableOf('Peak memory per message', rows, [
    { head: '', cell: ({ name }) => code(name) },
    { head: '', cell: ({ run }) => (runs.length > 1 ? runNames(runs)(run) : '') },
    // Without a tone: one or two processes do not give an interval to judge by.
    { head: '', cell: ({ value }) => ({ bar: value / most }), rank: 0 },
    amounts('memory', ({ value }) => bytes(value)),
  ]);
}

/** Items of each run. If several runs share a heading, each item begins with the name of its runtime. */
export const conditionItems = (runs: readonly Run[]): Body =>
  runs.map((run) => {
    const of = runs.length > 1 && `${runtimeName(run)}: `;
    const say = (label: string, [first, ...more]: readonly Words[], tone?: Tone): Body =>
      first ? item(label, [[of, first], ...more], tone && { tone }) : null;
    const { otherChannel: other, builtLater, measurement, noise } = run;
    const isBetter = other?.outcome === 'faster' && other.lost.length === 0;
    const notes = [
      measurement && channelRow(run.channel).trip,
      readBackText(run),
      ...(measurement ? [...pageTexts(measurement), blockedText(measurement)] : []),
    ];
    return [
      other && say('channel', otherChannelWords(other), isBetter ? 'good' : 'muted'),
      builtLater && say('later', builtLaterWords(builtLater), 'muted'),
      notes.map((note) => say('note', [note])),
      say('noise', [noise && noiseText(noise)], 'muted'),
    ];
  });

const EXCEEDED = {
  frame: 'longer than a frame at 60 Hz (16 ms)',
  'long-task': 'a long task (over 50 ms): everything else on that thread waits',
} as const;

function blockedText({ blocked, database, roundTrip: { samples }, send, receive }: Measurement): Words {
  if (blocked == null || blocked.exceeds === null) return null;
  const { senderNs, longestNs, exceeds } = blocked;
  const receiver = blocked.receiverNs ?? 0;
  const sides = database ? ['thread that reads request.result', 'thread that puts'] : ['receiver', 'sender'];
  const [thread, ns] = receiver > senderNs ? [sides[0], receiver] : [sides[1], senderNs];
  const effect = EXCEEDED[exceeds];
  const typical = receiver > senderNs ? receive : send;
  const usual = typical === null ? '' : ` (typically ${time(typical.median)})`;
  const most = `99 of 100 messages block the ${thread} for up to ${time(ns)}${usual}, ${effect}.`;
  if (carriesQuantile(samples, 0.99)) return `${most} The longest took ${time(longestNs)}.`;
  const which = samples === 1 ? 'The one message timed' : `The longest of ${samples} messages`;
  return `${which} blocked the ${thread} for ${time(longestNs)}, ${effect}.`;
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

function noiseText(noise: RunNoise): string {
  if (noise.beyond.length === 0) return '';
  const widened = noise.widened >= MIN_WIDENED ? ` Intervals are widened by ${percent(noise.widened)}.` : '';
  return `${sentenceCase(noise.beyond.map((kind) => NOISES[kind](noise)).join('; '))}.${widened}`;
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

function pageTexts({ page, link, send, answers }: Measurement): Words[] {
  const steps = `, and its clock has steps of ${time(page?.clockStepNs ?? 0)}: send is not known either`;
  const shared =
    'This page is not isolated: its threads share no memory, so receive and memory are not known';
  return [
    page && !page.sharesMemory ? `${shared}${send === null ? steps : ''}.` : link && NOT_ITS_OWN,
    link === 'network' && SAME_PROCESS,
    answers && `The receiver cannot build the payload (${answers.why}): ${ANSWERS[answers.with]}`,
  ];
}

/** Reading back is a cost that no rewrite of the message can save. */
function readBackText({ readBackNs, measurement, channel }: Run): Words {
  if (readBackNs === undefined || !measurement) return null;
  const postNs = channel === 'structured-clone' ? measurement.roundTrip.median : oneWayNs(measurement);
  if (!carries(measurement.roundTrip, 'size') || readBackNs < postNs) return null;
  return `Reading the canvas back takes ${time(readBackNs)} for each payload, posting it ${time(postNs)}. If the receiver only draws it, post an ImageBitmap of the canvas, in the transfer list; if it needs the pixels, getContext('2d', { willReadFrequently: true }) keeps them readable.`;
}

// Facts about the other serialization between processes: its cost, and values that would arrive differently.

function otherChannelWords(other: OtherChannel): Words[] {
  const { outcome, kept, lost, ratio, channel } = other;
  const isFaster = outcome === 'faster';
  const option = code(`serialization: '${channel === 'ipc-json' ? 'json' : 'advanced'}'`);
  const speed =
    outcome === 'refused'
      ? sentence`${option} would refuse this message.`
      : ratio === null
        ? sentence`${option} could not be timed.`
        : sentence`With ${option}, for all messages of the child: ${comparedText(outcome, ratio)}, timed in turns.`;
  return [
    speed,
    isFaster && changes('Arrives there unchanged, and not here:', kept),
    changes('Lost there:', lost),
    isFaster && kept.length + lost.length === 0 && 'What arrives is the same.',
  ];
}

const MAX_CHANGES = 3;

function changes(what: string, all: readonly ChannelChange[]): Words {
  const parts = all.slice(0, MAX_CHANGES).map(({ rule, path, count: seen }) => {
    const times = seen > 1 ? `, ${seen}×` : '';
    return sentence`${code(path)} (${causeTitle(rule)}${times})`;
  });
  const more = all.length > MAX_CHANGES && ` and ${all.length - MAX_CHANGES} more`;
  return all.length > 0 && sentence`${what} ${separated(parts, ', ')}${more}.`;
}

function comparedText(outcome: OtherChannel['outcome'], ratio: RatioEstimate): string {
  if (outcome !== 'unsure') return speedWithInterval(ratio);
  const lack = lackText(ratio, 'size');
  return lack === null ? `no difference is proven (${speedWithInterval(ratio)})` : `not decided (${lack})`;
}

/** V8 stores a value differently if its thread has received such a message before. */
const builtLaterWords = ({ path, ratio, outcome }: NonNullable<Run['builtLater']>): Words[] => [
  sentence`A thread that has received such a message stores values that it builds later differently, at ${code(path)}. Verdict, times and rewrites are of one that was built before.`,
  ratio != null && `Posting it then: ${comparedText(outcome ?? 'unsure', ratio)}.`,
];
