/** Everything behind the answer for one payload: a chart of its bytes, and folds of all that was found, timed and tried. */

import type { Estimate, Histogram, Measurement, RoundTrip } from '../../model/documents/measurement.ts';
import type { Profile } from '../../model/documents/profile.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import { COST_CLASSES, type CostClass, channelRow } from '../../model/names.ts';
import { advisedTrial } from '../../model/report/runs.ts';
import { sumOf } from '../../model/sums.ts';
import { WORKS, type Work } from '../../model/vocabulary/words.ts';
import { carries, carriesQuantile, lackText } from '../../stats/evidence.ts';
import { formatPath, type PathStep, parsePath } from '../../value/read/paths.ts';
import { rowEstimate } from '../../value/shape/wire-estimate.ts';
import { amounts, columnsOf, known, sparkline } from '../columns.ts';
import type { ChartOf, Column, IcicleCell, TimesRow } from '../doc.ts';
import { alert, type Body, block, drawing, facts, fold, heading, list, tableOf, text } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { bytes, count, counted, medianText, percent, time, timeInterval } from '../text/numbers.ts';
import { code, flat, listed, muted, type Span, sentence, type Tone, type Words } from '../words.ts';
import { rewriteFolds } from './rewrites.ts';
import { causeTitle, gainOf, onRun, runNames, runtimeNames, statusText } from './texts.ts';
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
    peakMemory &&
      `memory ${bytes(peakMemory.perMessage)} per message (${count(peakMemory.messages)} in flight)`,
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

function branchNodes(branches: Branches): Body {
  if (branches.length === 0) return facts('No branch to leave out: the payload is one piece.');
  return [
    tableOf('What each branch costs', branches, [
      { head: 'branch', cell: ({ path }) => code(path) },
      amounts('of send', sendShare),
      amounts('bytes', (branch) => known(branch.bytes, bytes), 2),
      amounts('of bytes', ({ bytesShare }) => known(bytesShare, shareText)),
    ]),
    facts(muted('Saved by leaving the branch out. Branches lie within branches: rows overlap.')),
  ];
}

function sendShare({ send, bytesShare }: Branches[number]): string {
  if (send === null) return bytesShare === null ? 'not timed' : 'too few samples';
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
const MIN_SPOT_SHARE = 0.01;

function profileNodes(profile: Profile): Body {
  const { shares, files, top } = profile;
  const works = WORKS.map((work): Span => {
    const { text, tone } = WORK_WORDS[work];
    return { text: `${text} ${shareText(shares?.[work] ?? 0)}`, tone };
  });
  const spots = top.filter(({ share }) => share >= MIN_SPOT_SHARE).slice(0, MAX_SPOTS);
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

/** Chart of the run with most blockers, or of the first run; null if the payload does not have parts. */
export function payloadIcicle(runs: readonly Run[]): ChartOf<'icicle'> | null {
  const marks = ({ verdict, byPath = [] }: Run) => (verdict?.blockers.length ?? 0) + byPath.length;
  const [chart = null] = [...runs]
    .sort((a, b) => marks(b) - marks(a))
    .flatMap((run) => icicleChart(run) ?? []);
  return chart;
}

export function icicleChart(run: Run): ChartOf<'icicle'> | null {
  const sends = run.byPath?.flatMap(({ path, send }): [string, number][] =>
    carries(send, 'side') ? [[path, send.share]] : [],
  );
  const whole = cellOf(rowsOf(run), [], new Map(sends), 'serialized');
  if (whole.children.length === 0 || !(whole.bytes > 0)) return null;
  const root = shortened(pruned(whole));
  if (root.children.length === 0) return null;
  return { kind: 'icicle', title: 'Where the bytes are', columns: icicleColumns(root), root };
}

const FULL = 0.995;

/** Merges levels of a single full-width bar into one, with the path of the last: "$.orders[*]". */
function shortened(cell: IcicleCell): IcicleCell {
  const [only, ...others] = cell.children;
  const isFull = only !== undefined && others.length === 0 && only.bytes >= FULL * cell.bytes;
  if (!isFull || only.path === null || cell.path === null || cell.blockers.length > 0)
    return { ...cell, children: cell.children.map(shortened) };
  const name = `${cell.name}${only.path.slice(cell.path.length)}`;
  return shortened({ ...only, name, send: only.send ?? cell.send });
}

/** Minimum share of the payload that is drawn: narrower parts would be invisible. */
const MIN_DRAWN_SHARE = 0.015;

/** The cell without the parts that are not drawn: those of one container become one part, without its own parts. */
function pruned(cell: IcicleCell, least = MIN_DRAWN_SHARE * cell.bytes): IcicleCell {
  const isDrawn = (part: IcicleCell) =>
    part.bytes >= least || allCells(part).some(({ blockers }) => blockers.length > 0);
  const small = cell.children.filter((child) => !isDrawn(child));
  const joined = small.slice(0, 1).map((first) => ({
    ...{ name: `${count(small.length)} more`, path: null, class: first.class, send: null },
    ...{ kinds: [...new Set(small.flatMap(({ kinds }) => kinds))].slice(0, 3), blockers: [], children: [] },
    ...{ count: sumOf(small, (child) => child.count), bytes: sumOf(small, (child) => child.bytes) },
  }));
  const drawn = cell.children.filter(isDrawn).map((child) => pruned(child, least));
  return { ...cell, children: [...drawn, ...joined] };
}

const allCells = (cell: IcicleCell): IcicleCell[] => [cell, ...cell.children.flatMap(allCells)];

function icicleColumns(root: IcicleCell): Column[] {
  const cells = allCells(root);
  const isMixed = new Set(cells.map((cell) => cell.class)).size > 1;
  return columnsOf(cells, [
    { head: 'part', cell: ({ path, name }) => (path === null ? name : code(path)) },
    { head: 'kind', cell: ({ kinds }) => listed(kinds) },
    amounts('values', (cell) => count(cell.count)),
    amounts('bytes', (cell) => bytes(cell.bytes)),
    amounts('share', (cell) => percent(cell.bytes / root.bytes)),
    amounts('of send', ({ send }) => known(send, percent)),
    { head: 'class', cell: (cell) => (isMixed ? cell.class : '') },
    { head: 'blocks', cell: ({ blockers }) => blockers.join(', ') },
  ]);
}

/** Maximum levels below the root; deeper values count for the last level. */
const MAX_DEPTH = 7;

const BUFFERS: ReadonlySet<string> = new Set(['arraybuffer', 'typedarray', 'dataview']);

type Row = ReturnType<typeof rowsOf>[number];

/**
 * Values at each path, with the titles of the rules that block a better path. Their class is taken from the findings at
 * the path, else from the payload. Rows with an unreadable path are omitted.
 */
function rowsOf({ shape, verdict, findings }: Run) {
  const worst = verdict?.class ?? 'serialized';
  const usual = worst === 'degraded' || worst === 'rejected' ? 'serialized' : worst;
  const blockersAt = new Map(groupedBy(verdict?.blockers ?? [], ({ path }) => path));
  const findingsAt = new Map(groupedBy(findings, ({ path }) => path));
  const bytesOf = rowEstimate(shape?.patterns ?? []);
  return (shape?.patterns ?? []).flatMap((facts) => {
    const { pattern, example, kind, flags } = facts;
    const steps = parsePath(pattern);
    const paths = [...new Set([pattern, example])];
    const rules = paths.flatMap((path) => blockersAt.get(path) ?? []).map(({ rule }) => rule);
    const levels = paths.flatMap((path) => findingsAt.get(path) ?? []).map(({ level }) => level);
    const classOf = (): CostClass => {
      if (levels.includes('rejected')) return 'rejected';
      if (rules.length > 0) return worst;
      if (levels.includes('slow')) return 'degraded';
      if (kind === 'sharedarraybuffer' || flags.includes('shared-backing')) return 'shared';
      return BUFFERS.has(kind) && usual === 'serialized' ? 'bulk' : usual;
    };
    const size = Math.max(0, bytesOf(facts)) || 0;
    const blockers = rules.map((rule) => causeTitle(rule));
    return steps === null ? [] : [{ facts, steps, bytes: size, class: classOf(), blockers }];
  });
}

/** @param rows of the part and of all below it @param sends shares of the send time @param above class of its container */
function cellOf(
  rows: readonly Row[],
  steps: readonly PathStep[],
  sends: ReadonlyMap<string, number>,
  above: CostClass,
): IcicleCell {
  const { length: depth } = steps;
  const [last] = steps.slice(-1);
  const path = formatPath(steps);
  const own = rows.filter((row) => row.steps.length === depth);
  const below = rows.filter((row) => row.steps.length > depth);
  const [worst = above] = own
    .map((row) => row.class)
    .sort((a, b) => COST_CLASSES.indexOf(b) - COST_CLASSES.indexOf(a));
  // Parts that are too deep to be drawn contribute only their blockers.
  const isLast = depth === MAX_DEPTH;
  const groups = isLast ? [] : groupedBy(below, (row) => row.steps.slice(0, depth + 1));
  return {
    name: last === undefined ? '$' : last.type === 'key' ? last.key : formatPath([last]).slice(1),
    path,
    kinds: [...new Set(own.map(({ facts }) => facts.kind))],
    count: sumOf(own, ({ facts }) => facts.count),
    bytes: sumOf(rows, (row) => row.bytes),
    send: sends.get(path) ?? null,
    class: worst,
    blockers: [...new Set((isLast ? rows : own).flatMap((row) => row.blockers))],
    children: groups
      .map(([start, group]) => cellOf(group, start, sends, worst))
      .sort((a, b) => b.bytes - a.bytes),
  };
}
