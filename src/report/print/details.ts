/** Everything behind the answer for one payload, in folds. */

import type { Estimate, Histogram, Measurement, RoundTrip } from '../../model/documents/measurement.ts';
import type { Profile } from '../../model/documents/profile.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { channelRow } from '../../model/names.ts';
import { advisedTrial } from '../../model/report/runs.ts';
import { WORKS, type Work } from '../../model/vocabulary/words.ts';
import { carries, carriesQuantile, lackText } from '../../stats/evidence.ts';
import { amounts, columnsOf, known, sparkline } from '../columns.ts';
import type { ChartOf, TimesRow } from '../doc.ts';
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
import { rewriteFolds } from './rewrites.ts';
import { gainOf, onRun, runNames, runtimeNames, statusText } from './texts.ts';
import { alarmSentence, conditionItems, verdictItems } from './verdict.ts';

export function detailNodes(payload: PayloadReport): Body {
  const { id, runs } = payload;
  return [
    drawing(payloadIcicle(runs)),
    fold(id, 'all that was found', foundNodes(payload, runs)),
    fold(id, 'times', timeNodes(runs)),
    rewriteFolds(id, runs),
    runs.map((run) => [
      run.byPath && fold(id, `what each branch costs${onRun(run, runs)}`, branchNodes(run.byPath), true),
      run.profile && fold(id, `profile${onRun(run, runs)}`, profileNodes(run.profile), true),
    ]),
    codeFolds(id, runs),
  ];
}

/** Verdicts and findings of the engines. Runs with equal results share a heading. */
function foundNodes(payload: PayloadReport, runs: readonly Run[]): Body {
  const via = runs.find((run) => run.via !== undefined)?.via;
  return [
    text(sourceWords(payload), { tone: 'muted' }),
    via && text(envelopeWords(via)),
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

const foundKey = ({ status, runtime, channel, error, verdict, findings, advice }: Run) => [
  ...[status === 'failed' ? null : runtime.engine, channel, error?.message ?? null],
  ...[verdict, findings, advice?.upgrade ?? null, advice === null],
];

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

const envelopeWords = ({ library, path }: NonNullable<Run['via']>): Words =>
  sentence`Verdict and findings are about the message that ${library} posts: the payload is ${code(path)} in it.`;

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
      cell: ({ trip }) => known(trip && seenIn(trip), ({ counts }) => sparkline(counts)),
      rank: 0,
      isDrawn: true,
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

const seenIn = ({ histogram }: { histogram?: Histogram | undefined }): Histogram | null =>
  histogram?.counts.some((seen) => seen > 0) ? histogram : null;

function measuringFacts({ sender, roundTrip, cold, phases, peakMemory, gc }: Measurement) {
  const { samples, messagesPerSample = 1, processes } = roundTrip;
  const blocks = `${counted(samples, 'block')} of ${messagesPerSample} messages, as the clock is coarse,`;
  return flat<string>([
    `${messagesPerSample > 1 ? blocks : counted(samples, 'message')} in ${counted(processes, 'process', 'processes')}`,
    sender === 'worker' && 'posted by a worker',
    cold.roundTrip !== null && `first message ${time(cold.roundTrip)}`,
    phases && `transit ${time(phases.transit)}`,
    peakMemory && `memory ${messageMemory(peakMemory)} per message (${count(peakMemory.messages)} in flight)`,
    gc !== null && `garbage collection ${percent(gc.share)}`,
  ]).map(muted);
}

function timesRow(run: Run, { roundTrip, floor }: Measurement, name: string): TimesRow {
  const { median, ci } = roundTrip;
  const gain = gainOf(run);
  const trial = run.advice && gain && advisedTrial(run.advice, run);
  return {
    ...{ name, floor: floor.roundTrip },
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

type Branches = NonNullable<Run['byPath']>;
type Send = NonNullable<Branches[number]['send']>;

function branchNodes(branches: Branches): Body {
  if (branches.length === 0) return facts('No branch to leave out: the payload is one piece.');
  return [
    tableOf('What each branch costs', branches, [
      { head: 'branch', cell: ({ path }) => code(path) },
      amounts('of send', ({ send }) => known(send, sendShare) || 'not timed'),
      amounts('bytes', (branch) => known(branch.bytes, bytes), 2),
      amounts('of bytes', ({ bytesShare }) => known(bytesShare, shareText)),
    ]),
    facts(muted('Saved by leaving the branch out. Branches lie within branches: rows overlap.')),
  ];
}

function sendShare(send: Send): string {
  const [low, high] = send.ci.map((share) => Math.round(Math.max(0, share) * 100));
  return lackText(send, 'side') ?? `${shareText(send.share)} (${low}–${high} %)`;
}

const shareText = (share: number): string => (share < 0.001 ? '0 %' : percent(share));

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
      { head: 'where', cell: ({ where }): Span => (where === null ? 'the engine' : code(where)), rank: 3 },
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

function codeFolds(id: string, runs: readonly Run[]): Body {
  const codes = runs
    .flatMap((run) => [
      { run, title: 'code', language: 'js' as const, all: run.advice?.code },
      { run, title: 'codec', language: 'ts' as const, all: run.advice?.module },
    ])
    .flatMap(({ all, ...one }) => (all == null ? [] : { ...one, all }));
  return groupedBy(codes, ({ all }) => all).map(([all, group]) => {
    const [{ title, language }] = group;
    const on = runs.length > 1 ? ` for ${runtimeNames(group.map(({ run }) => run))}` : '';
    return fold(id, `${title}${on}`, { type: 'code', text: all, language });
  });
}
