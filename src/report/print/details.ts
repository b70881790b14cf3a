/** Everything behind the answer for one payload, in folds. */

import type {
  Estimate,
  Histogram,
  Measurement,
  Phases,
  RoundTrip,
} from '../../model/documents/measurement.ts';
import type { Profile } from '../../model/documents/profile.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { channelRow } from '../../model/names.ts';
import { advisedTrial } from '../../model/report/runs.ts';
import { WORKS, type Work } from '../../model/vocabulary/words.ts';
import { carries, carriesQuantile, lackText } from '../../stats/evidence.ts';
import { amounts, type Cell, columnsOf, known } from '../columns.ts';
import type { ChartOf, Node, TimesRow } from '../doc.ts';
import { alert, type Body, block, drawing, facts, fold, heading, list, tableOf, text } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import {
  bytes,
  count,
  counted,
  medianText,
  messageMemory,
  percent,
  time,
  timeInterval,
} from '../text/numbers.ts';
import { code, flat, muted, type Span, sentence, type Tone, type Words } from '../words.ts';
import { payloadIcicle } from './icicle.ts';
import { rewriteFolds, rewriteName } from './rewrites.ts';
import { adviceMark, adviceShort, adviceWithGain, fastestFirst, gainOf } from './runs.ts';
import { onRun, runNames, runtimeNames, statusText } from './texts.ts';
import { alarmSentence, conditionItems, verdictItems } from './verdict.ts';

/** @param answer nodes of the answer, whose code is not repeated */
export function detailNodes(payload: PayloadReport, answer: readonly Node[]): Body {
  const { id } = payload;
  const runs = fastestFirst(payload.runs);
  return [
    drawing(payloadIcicle(runs)),
    fold(id, 'all that was found', foundNodes(payload, runs)),
    fold(id, 'times', timeNodes(runs)),
    rewriteFolds(id, runs),
    fold(id, 'memory', memoryNode(runs)),
    runs.map((run) => [
      run.byPath && fold(id, `what each branch costs${onRun(run, runs)}`, branchNodes(run.byPath), true),
      run.profile && fold(id, `profile${onRun(run, runs)}`, profileNodes(run.profile), true),
    ]),
    codeFolds(id, runs, answer),
  ];
}

/** Verdicts and findings of the engines. Runs with equal results share a heading. */
function foundNodes(payload: PayloadReport, runs: readonly Run[]): Body {
  const via = runs.find((run) => run.via !== undefined)?.via;
  return [
    text(sourceWords(payload), { tone: 'muted' }),
    via && text(envelopeWords(payload, via)),
    groupedBy(runs, foundKey).map(([, group]) => {
      const [run] = group;
      const alarm = alarmSentence(run);
      return [
        heading([statusText(run), ' · ', runtimeNames(group)], runFacts(group)),
        alarm && alert(alarm),
        block([verdictItems(run), conditionItems(group)]),
      ];
    }),
  ];
}

/** All that runs must share for a common heading. Runtimes of one engine share it unless it names versions. */
function foundKey(run: Run) {
  const { verdict, advice } = run;
  const upgrade = verdict?.upgrade ?? advice?.upgrade ?? null;
  const namesVersions = verdict?.confirmed === false || upgrade !== null;
  return [
    run.status === 'failed' ? null : run.runtime.engine,
    namesVersions ? run.runtime.name : null,
    run.channel,
    run.error?.message ?? null,
    verdict,
    run.findings,
    upgrade,
    advice?.action === 'apply' ? advice.remedy : advice === null,
  ];
}

function sourceWords({ source: { file, export: name, line }, runs, stands = 1 }: PayloadReport): Words {
  const shape = runs.find((run) => run.shape !== null)?.shape;
  return [
    [code(file), name !== null && [', export ', code(name)], line !== undefined && `, line ${count(line)}`],
    shape && ` · ${counted(shape.nodes, 'value')}`,
    shape && shape.depth > 0 && ` · ${counted(shape.depth, 'level')} deep`,
    shape?.jsonBytes != null && ` · ${bytes(shape.jsonBytes)} as JSON`,
    shape?.truncated.items && ' · too large to examine every part',
    stands > 1 && ` · stands for ${count(stands)} messages`,
  ];
}

/** The section has paths into two values, the message and the payload. */
function envelopeWords({ runs }: PayloadReport, via: NonNullable<Run['via']>): Words {
  const isRewritten = runs.some(({ trials, byPath }) => trials.length > 0 || byPath !== undefined);
  return [
    sentence`Verdict and findings are about the message that ${via.library} posts: the payload is ${code(via.path)} in it.`,
    isRewritten && ' Rewrites and branches are about the payload alone.',
  ];
}

/** The channel, and the fate of the bytes if all runs of the group agree on it. */
function runFacts(runs: readonly [Run, ...Run[]]): Words {
  const [fate, ...others] = new Set(runs.map(bytesText));
  return [runs[0].channel, others.length === 0 && fate];
}

function bytesText({ bytes: of }: Run): string | null {
  if (of === undefined) return null;
  const copied = `${of.by === 'shape' ? 'about ' : ''}${bytes(of.copied)} copied`;
  const rest = (['moved', 'shared'] as const).filter((fate) => of[fate] > 0);
  return [copied, ...rest.map((fate) => `${bytes(of[fate])} ${fate}`)].join(', ');
}

function timeNodes(runs: readonly Run[]): Body {
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
    amounts('p95', ({ trip }) => known(trip && p95Of(trip), time), 1),
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

/** Null if it is not reliable: reports of earlier versions have it for any number of samples. */
const p95Of = ({ p95, samples }: RoundTrip) => (carriesQuantile(samples, 0.95) ? p95 : null);

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
  const { median, ci } = roundTrip;
  const gain = gainOf(run);
  const trial = run.advice && gain && advisedTrial(run.advice, run);
  return {
    ...{ name, status: statusText(run), floor: floor.roundTrip },
    advice: adviceMark(run, adviceWithGain(adviceShort(run), gain)),
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
    p95: p95Of(roundTrip),
  };
}

/** Maximum ratio of amounts that count as equal: such a table would not show anything. */
const ALIKE = 1.1;

/** Memory of the original and of each rewrite; null if no rewrite's memory was measured. */
function memoryNode(runs: readonly Run[]): Body {
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

// Results of --by-path.

type Branches = NonNullable<Run['byPath']>;
type Send = NonNullable<Branches[number]['send']>;

function branchNodes(branches: Branches): Body {
  if (branches.length === 0) return facts('No branch to leave out: the payload is one piece.');
  return [
    tableOf('What each branch costs', branches, [
      { head: 'branch', cell: ({ path }) => code(path) },
      { head: '', cell: branchBar, rank: 4 },
      amounts('of send', ({ send }) => known(send, sendShare) || 'not timed'),
      amounts('95 %', ({ send }) => known(send, shareInterval), 3),
      amounts('time', ({ send }) => known(send, savedTime), 1),
      amounts('bytes', (branch) => known(branch.bytes, bytes), 2),
      amounts('of bytes', ({ bytesShare }) => known(bytesShare, shareText)),
    ]),
    facts(muted('Saved by leaving the branch out. Branches lie within branches: rows overlap.')),
  ];
}

function branchBar({ send, bytesShare }: Branches[number]): Cell {
  const timed = send !== null && carries(send, 'side') ? send.share : null;
  const share = Math.min(1, timed ?? bytesShare ?? 0);
  return share > 0 ? { bar: share, tone: 'fair' } : '';
}

/** The time is at least 0: a negative saving is noise. */
const savedTime = (send: Send): string => (carries(send, 'side') ? time(Math.max(0, send.ns)) : '');

const sendShare = (send: Send): string => lackText(send, 'side') ?? shareText(send.share);

const shareText = (share: number): string => (share < 0.001 ? '0 %' : percent(share));

function shareInterval(send: Send): string {
  const [low, high] = send.ci.map((share) => Math.round(Math.max(0, share) * 100));
  return carries(send, 'side') ? `${low}–${high} %` : '';
}

// Results of --profile.

const WORK_WORDS = {
  clone: { text: 'cloning', tone: 'fair' },
  gc: { text: 'garbage collection', tone: 'poor' },
  user: { text: 'your code', tone: 'bad' },
  other: { text: 'other', tone: 'good' },
} as const satisfies Record<Work, { text: string; tone: Tone }>;

const MAX_SPOTS = 5;
/** Minimum share: smaller shares are noise of the sampling. */
const MIN_SHARE = 0.01;

function profileNodes(profile: Profile): Body {
  const { shares, files, top } = profile;
  const works = WORKS.map((work): Span => {
    const { text, tone } = WORK_WORDS[work];
    return { text: `${text} ${shareText(shares?.[work] ?? 0)}`, tone };
  });
  const spots = top.filter(({ share }) => share >= MIN_SHARE).slice(0, MAX_SPOTS);
  return [
    shares && facts(works),
    tableOf('Where the time of the profile is', spots, [
      { head: 'self time', cell: ({ name }) => code(name) },
      amounts('share', ({ share }) => percent(share)),
      amounts('per message', ({ ns }) => time(ns), 1),
      { head: 'thread', cell: ({ side }) => side, rank: 2 },
      { head: 'work', cell: ({ work }) => WORK_WORDS[work].text, rank: 4 },
      { head: 'where', cell: ({ where }): Cell => (where === null ? 'the engine' : code(where)), rank: 3 },
    ]),
    list([...profilerFacts(profile).map(muted), ...files.map(code)]),
  ];
}

function profilerFacts({ by, messages, missing }: Profile): string[] {
  const gaps = groupedBy(missing, ({ why }) => why).map(
    ([why, gap]) => `not available there: ${gap.map(({ what }) => what).join(', ')} (${why})`,
  );
  return by === null ? gaps : [`profiled by ${by}, ${count(messages)} messages`, ...gaps];
}

/** Code that the answer does not show, without duplicates. */
function codeFolds(id: string, runs: readonly Run[], answer: readonly Node[]): Body {
  const shown = new Set(answer.flatMap(codesIn));
  const codes = runs
    .flatMap((run) => [
      { run, title: 'code', language: 'js' as const, all: run.advice?.code },
      { run, title: moduleTitle(run.advice?.module), language: 'ts' as const, all: run.advice?.module },
    ])
    .flatMap(({ all, ...one }) => (all == null || shown.has(all.trimEnd()) ? [] : { ...one, all }));
  return groupedBy(codes, ({ all }) => all).map(([all, group]) => {
    const [{ title, language }] = group;
    const on = runs.length > 1 ? ` for ${runtimeNames(group.map(({ run }) => run))}` : '';
    return fold(id, `${title}${on}`, { type: 'code', text: all, language });
  });
}

const codesIn = (node: Node): string[] =>
  node.type === 'block' ? node.body.flatMap(codesIn) : node.type === 'code' ? [node.text] : [];

const moduleTitle = (module: string | null | undefined): string =>
  `codec, ${(module ?? '').trimEnd().split('\n').length} lines of TypeScript`;
