/** A report as a printed document: rankings of recordings, then a section for each payload. */
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import type { Wording } from '../../model/report/wording.ts';
import { fold, type Node, type Printed, tableNode, text } from '../doc.ts';
import { muted } from '../section/model/sentence.ts';
import { bytes, counted } from '../text/numbers.ts';
import { answerNodes } from './answer.ts';
import { anchorOf, makeOverview } from './answer-rows.ts';
import { detailNodes } from './details.ts';
import { headline } from './headline.ts';
import { recordingNodes, recordingRows } from './recording.ts';
import { ABOUT_RATES, rowsOf, runColumns, timesCheapest } from './run-columns.ts';
import { trafficFolds } from './traffic.ts';

export const NO_PAYLOADS = 'No payloads.';

/** @param order the input's order, or the most expensive payload first, like in the list of contents */
export function reportDocument(report: Report, words: Wording, order: 'given' | 'cost' = 'given'): Printed {
  const { payloads } = report;
  const overview = makeOverview(report);
  const places = order === 'given' ? payloads.keys() : (overview?.rows.map(({ place }) => place) ?? []);
  const sites = payloads.filter(({ traffic }) => traffic !== undefined).length;
  return {
    ...reportFrame(report),
    body: [
      ...(overview === null ? [] : [{ type: 'contents', overview } as const]),
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
