/** A report as a printed document: rankings of recordings, then a section for each payload. */

import { carries } from '../../core/evidence.ts';
import { stepsOf } from '../../core/steps.ts';
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { Step } from '../../model/documents/step.ts';
import type { Wording } from '../../model/report/wording.ts';
import { fold, type Node, type Printed, tableNode, text } from '../doc.ts';
import { listed, muted, sentenceCase } from '../section/model/sentence.ts';
import { bytes, count, counted, gainFactor, time } from '../text/numbers.ts';
import { answerNodes } from './answer.ts';
import { anchorOf, contentsOf } from './answer-rows.ts';
import { detailNodes } from './details.ts';
import { recordingNodes, recordingRows } from './recording.ts';
import { ABOUT_RATES, rowsOf, runColumns, timesCheapest } from './run-columns.ts';
import { trafficFolds } from './traffic.ts';

type Payloads = readonly PayloadReport[];

/** "3 of 4 payloads get 2.0x to 33x faster, 1 arrives changed" */
export function headline({ payloads }: Report): string {
  if (payloads.length === 0) return 'No payloads';
  const isRecorded = payloads.every(({ traffic }) => traffic !== undefined);
  const counts = [
    ...(isRecorded ? [] : fasterCounts(payloads)),
    withStep(payloads, 'lost', ['arrives changed', 'arrive changed']),
    withStep(payloads, 'rejected', ['cannot be posted', 'cannot be posted']),
    { some: payloads.filter(isFailed).length, words: ['failed', 'failed'] as const },
  ].filter(({ some }) => some > 0);
  const sites = isRecorded ? siteTexts(payloads) : [];
  const texts = [...sites, ...countTexts(counts, payloads, sites.length > 0)];
  return texts.length === 0 ? restText(payloads) : sentenceCase(listed(texts));
}

interface Counted {
  some: number;
  words: readonly [string, string];
}

/** Counts in words. The number of all payloads is named once. */
const countTexts = (counts: readonly Counted[], { length: all }: Payloads, isNamed: boolean): string[] =>
  counts.map(({ some, words: [one, more] }, at) => {
    const word = some === 1 ? one : more;
    if (at > 0 || isNamed) return all === 1 ? word : `${count(some)} ${word}`;
    return all === 1 ? `the payload ${word}` : `${count(some)} of ${counted(all, 'payload')} ${word}`;
  });

const isFailed = ({ error, runs }: PayloadReport): boolean =>
  error !== null || (runs.length > 0 && runs.every(({ status }) => status === 'failed'));

function fasterCounts(payloads: Payloads): Counted[] {
  const gains = payloads.flatMap(({ runs }) => {
    const own = runs.flatMap(({ advice }) =>
      advice?.action === 'apply' && carries(advice.gain, 'size') ? advice.gain : [],
    );
    return own.length === 0 ? [] : [own.reduce((best, gain) => (gain.ratio < best.ratio ? gain : best))];
  });
  const [least, ...others] = gains.sort((a, b) => b.ratio - a.ratio).map(gainFactor);
  const most = others.at(-1);
  if (least === undefined) return [];
  const range = most === undefined || most === least ? least : `${least} to ${most}`;
  return [{ some: gains.length, words: [`gets ${range} faster`, `get ${range} faster`] }];
}

/** "about 204 ms can be saved at 3 of 5 sites" */
function siteTexts(payloads: Payloads): string[] {
  const firsts = payloads.flatMap((payload) => {
    const steps = payload.steps ?? stepsOf(payload);
    return steps.find(({ kind }) => kind === 'rewrite' || kind === 'traffic') ?? [];
  });
  const savedMs = firsts.reduce((sum, { savesMs }) => sum + (savesMs ?? 0), 0);
  if (firsts.length === 0) return [];
  const where = `${count(firsts.length)} of ${counted(payloads.length, 'site')}`;
  return [
    savedMs > 0 ? `about ${time(savedMs * 1e6)} can be saved at ${where}` : `something to do at ${where}`,
  ];
}

const withStep = (payloads: Payloads, wanted: Step['kind'], words: Counted['words']): Counted => ({
  some: payloads.filter((payload) => (payload.steps ?? stepsOf(payload)).some(({ kind }) => kind === wanted))
    .length,
  words,
});

function restText(payloads: Payloads): string {
  const isMeasured = payloads.some(({ runs }) => runs.some(({ measurement }) => measurement !== null));
  const all = payloads.length === 1 ? 'the payload' : `${count(payloads.length)} payloads`;
  return isMeasured ? `Nothing found that makes ${all} faster` : `What engines do with ${all}`;
}

export const NO_PAYLOADS = 'No payloads.';

/** @param order the input's order, or the most expensive payload first, like in the list of contents */
export function reportDocument(report: Report, words: Wording, order: 'given' | 'cost' = 'given'): Printed {
  const { payloads } = report;
  const contents = contentsOf(report);
  const places = order === 'given' ? payloads.keys() : (contents?.places ?? []);
  const sites = payloads.filter(({ traffic }) => traffic !== undefined).length;
  return {
    ...reportFrame(report),
    body: [
      ...(contents === null ? [] : [{ type: 'contents', table: contents.table } as const]),
      ...recordingNodes(report, words, anchorOf),
      ...[...new Set([...places, ...payloads.keys()])].flatMap((place) => {
        const payload = payloads[place]!;
        const section: Node = {
          type: 'section',
          anchor: anchorOf(place),
          body: payloadNodes(payload, words),
        };
        // If there are several sites, the ranking already shows their steps.
        const isFolded = payload.traffic !== undefined && sites > 1;
        return isFolded ? fold(payload.id, ['in full'], [section]) : [section];
      }),
      ...(payloads.length === 0 ? [text([NO_PAYLOADS])] : []),
    ],
  };
}

/** The document without its body. */
export function reportFrame(report: Report): Printed {
  const isMeasured = report.payloads.some(({ runs }) => runs.some(({ measurement }) => measurement !== null));
  return {
    title: report.payloads.map(({ id }) => id).join(', ') || 'no payloads',
    heading: [headline(report)],
    about: report.date === undefined ? [] : [report.date],
    body: [],
    facts: machineFacts(report),
    ...(isMeasured ? { hint: ABOUT_DETAILS } : {}),
  };
}

const ABOUT_DETAILS = '--details: memory, distribution, every rewrite, where the bytes are';

/** The answer, and its details in folds. */
export function payloadNodes(payload: PayloadReport, words: Wording): Node[] {
  const answer = answerNodes(payload, words);
  return [...answer, ...trafficFolds(payload, words), ...detailNodes(payload, words, answer)];
}

export const machineFacts = ({
  machine,
  tool,
  seed,
}: Pick<Report, 'machine' | 'tool' | 'seed'>): string[] => [
  `${machine.os} ${machine.arch}`,
  machine.cpu,
  counted(machine.cores, 'core'),
  bytes(machine.memoryBytes),
  `seed ${seed}`,
  `clone-prof ${tool.version}`,
];

/** The answers alone, one row per run. */
export function answersOnly(report: Report, words: Wording): Node[] {
  const own = report.payloads.filter(({ traffic }) => traffic === undefined);
  const isRated = timesCheapest(own.flatMap(({ runs }) => runs)).size > 0;
  return [
    ...recordingRows(report, words),
    ...tableNode('Answers', runColumns(rowsOf(own), true)),
    ...(isRated ? [text([muted(ABOUT_RATES)])] : []),
    ...(report.payloads.length === 0 ? [text([NO_PAYLOADS])] : []),
  ];
}
