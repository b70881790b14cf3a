/** Nodes of a recording: the cost of its messages, and the next step for each of the costliest sites. */

import type { AnalyzedRecording, Traffic, TrafficCost } from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Report, Run, Step } from '../../model/documents/report.ts';
import { mainRun } from '../../model/report/runs.ts';
import { TRAFFIC_WORDS } from '../../model/vocabulary/traffic.ts';
import { stepsOf } from '../../stats/advise/steps.ts';
import { amounts, known, sparkline } from '../columns.ts';
import type { Node } from '../doc.ts';
import { alert, type Body, block, facts, fold, heading, nodesOf, section, tableOf, text } from '../nodes.ts';
import { count, counted, percent, speed, time } from '../text/numbers.ts';
import { shellCommand } from '../text/shell.ts';
import {
  code,
  firstSentence,
  muted,
  plainText,
  type Span,
  sentence,
  sentenceCase,
  type Words,
} from '../words.ts';
import { unsureSentence } from './advice.ts';
import { lossText } from './answer.ts';
import {
  findingText,
  gapText,
  lostTexts,
  overheadText,
  postedText,
  sizeText,
  threadsText,
  threadText,
  thrownTexts,
  totalText,
} from './sites.ts';
import { adviceShort, adviceWithGain, anchorOf, remedyTitle, runtimeText, statusText } from './texts.ts';

interface SiteRow {
  payload: PayloadReport;
  anchor: string;
  traffic: Traffic;
  /** Run on the runtime of the program; null if none could be analyzed. */
  run: Run | null;
  steps: readonly Step[];
  short: string;
  savesMs: number | null;
  /** Null if it is of another kind: measured costs and times of recorded calls are never added or put into one column. */
  cost: TrafficCost | null;
}

const kindOf = (sites: readonly { traffic: Pick<Traffic, 'cost'> }[]): TrafficCost['of'] =>
  sites.some(({ traffic }) => traffic.cost?.of === 'measured') ? 'measured' : 'send';

function siteRows({ payloads }: Report, { file, runtime }: AnalyzedRecording): SiteRow[] {
  const rows = payloads.flatMap((payload, place) => {
    const { traffic, source } = payload;
    if (traffic === undefined || source.file !== file) return [];
    const run = mainRun(payload, runtime);
    const steps = stepsOf({ runs: run === null ? [] : [run], traffic });
    // A loss is skipped here: the section of the payload names it.
    const step = steps.find(({ kind }) => kind !== 'lost');
    const short = (step === undefined ? run && adviceShort(run) : stepShort(step)) ?? '';
    const savesMs = step?.savesMs ?? null;
    return { payload, anchor: anchorOf(place), traffic, run, steps, short, savesMs };
  });
  const kind = kindOf(rows);
  return rows.map((row) => ({ ...row, cost: row.traffic.cost?.of === kind ? row.traffic.cost : null }));
}

function stepShort({ kind, remedy = '', gain, traffic }: Step): string | undefined {
  if (kind === 'rejected') return 'fix the causes';
  if (kind === 'fewer') return 'no rewrite';
  if (kind === 'rewrite') return adviceWithGain(remedy, gain ?? null);
  return traffic && TRAFFIC_WORDS[traffic].short;
}

const MAX_SITES = 5;

export const recordingNodes = (report: Report): Node[] =>
  (report.recordings ?? []).map((recording) => {
    const rows = siteRows(report, recording);
    const details = fold(recording.file, 'all sites', siteDetails(recording, rows));
    return section([rankingNodes(rows, recording), details]);
  });

export const recordingRows = (report: Report): Node[] =>
  (report.recordings ?? []).flatMap((recording) => {
    const rows = siteRows(report, recording);
    return nodesOf([faultNodes(recording, rows), sitesTable('Sites', rows, recording)]);
  });

function rankingNodes(rows: readonly SiteRow[], recording: AnalyzedRecording): Body {
  const { file, gaps } = recording;
  const [first, ...others] = rows;
  const more = rows.length - MAX_SITES;
  const left = leftText(recording, rows.length);
  const command = first && shellCommand(['npx', 'clone-prof', 'analyze', file, '--site', first.payload.id]);
  return [
    heading(code(file), programFacts(recording, rows), 2),
    faultNodes(recording, rows),
    first === undefined && block(text('No messages.')),
    rows.slice(0, MAX_SITES).map((row, at) => siteNodes(row, at + 1)),
    block([
      more > 0 && text(muted(`and ${counted(more, 'more site')}: --details`)),
      text(left && muted(left)),
      gaps.map((gap) => text(muted(`Gap: ${gapText(gap)}`))),
    ]),
    others.length > 0 && block(text(sentence`One site in full: ${code(command!)}`)),
  ];
}

function faultNodes(recording: AnalyzedRecording, rows: readonly SiteRow[]): Body {
  const posted = rows.map(({ traffic }) => traffic);
  const faults = [...thrownTexts(recording), ...lostTexts(recording, posted)];
  return block(faults.map((one) => alert(`${one}.`)));
}

function programFacts(recording: AnalyzedRecording, rows: readonly SiteRow[]): Words {
  const { command, messages, bytes, sized, elapsedMs, exit } = recording;
  const callsNs = rows.reduce((sum, { traffic: { send } }) => sum + (send?.total ?? 0), 0);
  return [
    command.join(' '),
    postedText(messages, sized, bytes),
    // With --site or --top, the rows are not all sites of the program.
    `${callsNs > 0 ? `calls of these sites took ${time(callsNs)} of ` : ''}${time(elapsedMs * 1e6)}`,
    exit !== null &&
      exit.code !== 0 &&
      (exit.signal == null ? `exit code ${exit.code}` : `ended by ${exit.signal}`),
  ];
}

function siteNodes(row: SiteRow, rank: number): Body {
  const { payload, traffic, steps, cost } = row;
  const [step] = steps;
  const sentences = step === undefined ? restWords(row) : stepWords(step, row);
  return block([
    facts([
      ...[muted(String(rank)), code(payload.id)],
      traffic.to !== null && `to ${threadText(traffic.to)}`,
      sizeText(traffic),
      cost === null
        ? traffic.cost && muted('not measured')
        : `${time(cost.totalMs * 1e6)}, ${percent(cost.share)}`,
    ]),
    sentences.map((one) => text(one, { by: 1 })),
  ]);
}

function restWords({ payload: { error, runs }, run }: SiteRow): Words[] {
  if (error !== null) return [muted(error.message)];
  if (run?.advice?.action === 'unsure') return [unsureSentence(run, run.advice)];
  const isMeasured = runs.some(({ measurement }) => measurement !== null);
  return isMeasured ? [muted('Nothing to do: nothing that was tried or recorded saves much.')] : [];
}

function stepWords(step: Step, row: SiteRow): Words[] {
  const { kind, path = '$', remedy = '', gain, savesMs } = step;
  const saves = `   saves about ${time((savesMs ?? 0) * 1e6)}`;
  const saved: Words = savesMs !== null && { text: saves, tone: 'good' };
  if (kind === 'traffic') {
    const finding = row.traffic.lint.find((one) => one.rule === step.traffic);
    if (finding === undefined) return [];
    const found = findingText({ ...finding, bytes: null, savesMs: null });
    return [sentenceCase(found), [firstSentence(TRAFFIC_WORDS[finding.rule].fix), saved]];
  }
  if (kind === 'rewrite') {
    const faster = gain === undefined ? '' : `, proven equal and ${speed(gain)}`;
    const title = sentenceCase(remedyTitle(remedy));
    return [sentence`${title}${path !== '$' && [' at ', code(path)]}${faster}.${saved}`];
  }
  if (kind === 'fewer') return ['An empty message takes about as long: post fewer, larger messages.'];
  const second = row.steps.find((one) => one.kind === 'rewrite' || one.kind === 'traffic');
  return [
    { text: `${plainText(lossText(step))}.`, tone: kind === 'rejected' ? 'bad' : 'fair' },
    ...(second === undefined ? [] : stepWords(second, row)),
  ];
}

function siteDetails(recording: AnalyzedRecording, rows: readonly SiteRow[]): Body {
  const { runtime } = recording;
  if (rows.length === 0) return null;
  return [
    facts([threadsText(recording), runtime && runtimeText(runtime), overheadText(recording)]),
    sitesTable('Sites, most expensive first', rows, recording),
    rows.some(({ traffic }) => traffic.cost !== null) && text(COSTS[kindOf(rows)], { tone: 'muted' }),
  ];
}

/** Table of sites. A phone shows the first columns, and the rest scrolls. */
function sitesTable(title: string, rows: readonly SiteRow[], { elapsedMs }: AnalyzedRecording): Body {
  const uncosted = ({ traffic }: SiteRow): Span => (traffic.cost === null ? '' : muted('unmeasured'));
  const table = tableOf(title, rows, [
    { head: 'site', cell: ({ payload }) => code(payload.id) },
    { head: 'do', cell: ({ short }) => short },
    amounts('cost', (row) => known(row.cost, ({ totalMs }) => time(totalMs * 1e6)) || uncosted(row)),
    amounts('%', ({ cost }) => known(cost, ({ share }) => percent(share).replace(' %', '')), 5),
    amounts('saves about', ({ savesMs }) => (savesMs ? time(savesMs * 1e6) : ''), -2),
    amounts('sent', ({ traffic }) => count(traffic.count), 3),
    amounts('bytes', ({ traffic }) => known(traffic.bytes, totalText), 2),
    { head: 'when', cell: ({ traffic }) => whenText(traffic, elapsedMs), rank: -3 },
    { head: 'library', cell: ({ traffic }) => traffic.site.library?.name ?? '', rank: 0 },
    // Of a site that posts on a different runtime than the first process.
    { head: 'runtime', cell: ({ traffic: { runtime = null } }) => known(runtime, runtimeText), rank: 1 },
    { head: 'verdict', cell: ({ run }) => (run ? statusText(run) : muted('unknown')), rank: 4 },
  ]);
  return table && { ...table, anchors: rows.map(({ anchor }) => anchor) };
}

/** Messages from the start of the recording to its end. */
function whenText({ times: { stepMs, counts } }: Traffic, elapsedMs: number): Span {
  const steps = Math.ceil(elapsedMs / stepMs);
  return counts.some((posted) => posted > 0) ? sparkline(counts, Number.isFinite(steps) ? steps : 0) : '';
}

const COSTS: Record<TrafficCost['of'], string> = {
  send: 'Cost: how long the recorded calls took; what the receiver pays is not in it.',
  measured:
    'Cost: messages × send and receive of one, measured here; shares are of the sites that were measured.',
};

export function leftText({ left }: Pick<AnalyzedRecording, 'left'>, sites: number): string | null {
  if (left.groups === 0) return null;
  const more = `And ${counted(left.groups, 'more site')}: ${counted(left.messages, 'message')}`;
  // The number can be typed, since it lacks a comma.
  return `${more}, ${percent(left.share)} of the time that all recorded calls took. --top ${left.groups + sites} analyzes all.`;
}
