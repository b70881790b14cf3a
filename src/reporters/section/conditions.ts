/** The conditions of the measurement: blocked threads and noise of the machine. */
import { carries, carriesQuantile } from '../../core/evidence.ts';
import { oneWayNs } from '../../core/one-way.ts';
import type { Answers, Measurement, Phases, RunNoise } from '../../model/documents/measurement.ts';
import type { Run } from '../../model/documents/report.ts';
import { percent, time } from '../text/numbers.ts';
import type { Statement } from './model/model.ts';
import { runtimeName } from './model/run-groups.ts';
import { storedText } from './stored.ts';

/** A smaller rest is not mentioned: medians of four quantities do not add up exactly. */
const NOTICED_REST = 0.15;

/** "transit 12.0 µs", "300 µs of each way (22 %) is unaccounted for". */
export function phaseFacts(phases: Phases): string[] {
  const { oneWay, transit, unaccounted } = phases;
  const share = Math.abs(unaccounted) / oneWay;
  const rest = `${time(Math.abs(unaccounted))} of each way (${percent(share)})`;
  const text = unaccounted > 0 ? `${rest} is unaccounted for` : `${rest} overlaps: both threads work at once`;
  // Beyond this the messages timed one way were slower than those of the round trips, which says nothing of either.
  const mostOverlap = Math.min(phases.send, phases.receive) + transit;
  const isTold = share >= NOTICED_REST && unaccounted >= -mostOverlap;
  return [`transit ${time(transit)}`, ...(isTold ? [text] : [])];
}

const EXCEEDED = {
  frame: 'longer than a frame at 60 Hz (16 ms)',
  'long-task': 'a long task (over 50 ms): everything else on that thread waits',
} as const;

function blockedText({ blocked, database, roundTrip: { samples } }: Measurement): string[] {
  if (blocked == null || blocked.exceeds === null) return [];
  const { senderNs, longestNs, exceeds } = blocked;
  const receiver = blocked.receiverNs ?? 0;
  const sides = database ? ['thread that reads request.result', 'thread that puts'] : ['receiver', 'sender'];
  const [thread, ns] = receiver > senderNs ? [sides[0], receiver] : [sides[1], senderNs];
  const effect = EXCEEDED[exceeds];
  const most = `99 of 100 messages block the ${thread} for up to ${time(ns)}, ${effect}.`;
  if (carriesQuantile(samples, 0.99)) return [`${most} The longest took ${time(longestNs)}.`];
  const which = samples === 1 ? 'The one message timed' : `The longest of ${samples} messages`;
  return [`${which} blocked the ${thread} for ${time(longestNs)}, ${effect}.`];
}

const NOISES: Record<RunNoise['beyond'][number], (noise: RunNoise) => string> = {
  stolen: ({ strain }) => `CPU steal took ${percent(strain?.stolen ?? 0)} of the time`,
  throttled: ({ strain }) => `CPU throttling took ${percent(strain?.throttled ?? 0)} of the time`,
  spread: ({ floor }) =>
    `the same empty message differed by ${percent(floor?.spread ?? 0)} between processes`,
  drift: ({ floor }) =>
    `the empty message drifted by ${percent(Math.expm1(floor?.drift ?? 0))} within a process`,
  bursts: ({ floor }) => `${percent(floor?.bursts ?? 0)} of the empty messages took over five times as long`,
  modes: () => 'the empty message had two speeds',
};

/** Below this the percentage would read 0. */
const MIN_WIDENED = 0.005;

function noiseText(noise: RunNoise | undefined): string[] {
  if (noise === undefined || noise.beyond.length === 0) return [];
  const widened = noise.widened >= MIN_WIDENED ? ` Intervals are widened by ${percent(noise.widened)}.` : '';
  return [`Noise: ${noise.beyond.map((kind) => NOISES[kind](noise)).join('; ')}.${widened}`];
}

const NOT_ITS_OWN =
  'Memory is not known: clone-prof did not start this browser and cannot look into its process.';
const SAME_PROCESS =
  'Over a network the page is only reloaded between samples, mostly in one process of the browser: earlier measurements may influence these times.';

/** What a receiver without a document answers with. */
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

/** What no rewrite of the message can save. */
function readBackText({ readBackNs, measurement, channel }: Run): string[] {
  if (readBackNs === undefined || !measurement) return [];
  const postNs = channel === 'structured-clone' ? measurement.roundTrip.median : oneWayNs(measurement);
  if (!carries(measurement.roundTrip, 'size') || readBackNs < postNs) return [];
  return [
    `Reading the canvas back takes ${time(readBackNs)} for each payload, posting it ${time(postNs)}. Where the receiver only draws it, post an ImageBitmap of the canvas, in the transfer list; where it needs the pixels, getContext('2d', { willReadFrequently: true }) keeps them where they are read.`,
  ];
}

/** One statement for each note, with the name of the runtime where the section has several. */
export const conditionStatements = (runs: readonly Run[]): Statement[] =>
  runs.flatMap((run) => {
    const notes = [
      ...storedText(run),
      ...readBackText(run),
      ...(run.measurement ? [...pageText(run.measurement), ...blockedText(run.measurement)] : []),
    ];
    const of = runs.length === 1 ? '' : `${runtimeName(run)}: `;
    const statements = (texts: readonly string[], later: 'detail' | 'noise') =>
      texts.map((note): Statement => ({ label: 'note', sentences: [[`${of}${note}`]], later }));
    return [...statements(notes, 'detail'), ...statements(noiseText(run.noise), 'noise')];
  });
