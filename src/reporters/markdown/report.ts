/** The report for a pull request or a job summary, in GitHub Flavored Markdown: the answers, and below them the reasons, folded. */

import type { ReportComparison } from '../../model/documents/comparison.ts';
import type { Report } from '../../model/documents/report.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import { answerNodes } from '../print/answer.ts';
import { recordingNodes } from '../print/recording.ts';
import { comparisonSection } from '../section/comparison/comparison.ts';
import type { Distribution } from '../section/model/columns.ts';
import {
  type Figure,
  figureTitle,
  moduleTitle,
  type PayloadSection,
  type RecordingSection,
  type RunSection,
  type Statement,
  undrawn,
} from '../section/model/model.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { joinBlocks } from '../text/blocks.ts';
import { sparkline } from '../text/histogram.ts';
import { nodeBlocks } from './nodes.ts';
import { cellText, codeBlock, codeSpan, MARKS, prose, sentenceText, spanText, table } from './spans.ts';

export const markdownReport: Reporter<Report> = (report, _options, words) => {
  const sections = report.payloads.map((payload) => recordedSection(payload, words, report.recordings));
  return joinBlocks([
    ['## clone-prof'],
    ...nodeBlocks(recordingNodes(report, words)),
    ...recordingSections(report, words).flatMap((one) => folded('All sites', recordingBlocks(one))),
    ...report.payloads.flatMap((payload, at) => [
      ...nodeBlocks(answerNodes(payload, words)),
      ...alarmBlocks(sections[at]!),
      ...payloadBlocks(sections[at]!),
    ]),
    sections.length === 0 ? [NO_PAYLOADS] : [],
    [`<sub>${prose(machineFacts(report).join(' · '))}</sub>`],
  ]);
};

function recordingBlocks(section: RecordingSection): string[][] {
  const { file, program, facts, lead, sites, notes } = section;
  return [
    [`### ${codeSpan(file)}`],
    [[sentenceText(program), ...facts.map(prose)].join(' · ')],
    ...lead.map((one) => [sentenceText(one)]),
    table(sites),
    notes.map((note) => `- ${sentenceText(note)}`),
  ];
}

/** Lines; blank lines separate blocks. */
type Block = readonly string[];

/** The reasons for the answers of a payload, folded. Its answers stand above; those of a recorded site do not. */
function payloadBlocks(section: PayloadSection): Block[] {
  const { id, source, facts, error, traffic, answers, notes, runs } = section;
  return folded(`Details of <code>${prose(id)}</code>`, [
    [[sentenceText(source), ...facts.map(prose)].join(' · ')],
    ...(error === null ? [] : errorBlocks(error)),
    ...(traffic === undefined ? [] : [traffic.flatMap(statementItems)]),
    table(answers),
    ...notes.map((note) => [sentenceText(note)]),
    ...runs.flatMap(runBlocks),
  ]);
}

/** What contradicts the rule book must not be folded away. */
const alarmBlocks = ({ id, runs }: PayloadSection): Block[] =>
  runs.flatMap(({ alarm }) =>
    alarm === null ? [] : [['> [!WARNING]', `> ${codeSpan(id)}: ${sentenceText(alarm)}`]],
  );

/** @param summary markup, escaped */
const folded = (summary: string, blocks: readonly Block[]): Block[] => [
  [`<details><summary>${summary}</summary>`],
  ...blocks,
  ['</details>'],
];

const errorBlocks = (error: string): Block[] => [[`${MARKS.bad} **Failed**`], codeBlock(error, 'text')];

function runBlocks(run: RunSection): Block[] {
  const { status, runtimes, facts, error, statements, module, figures } = run;
  return [
    [`#### ${[spanText(status), ...[runtimes, ...facts].map(prose)].join(' · ')}`],
    ...(error === null ? [] : errorBlocks(error)),
    statements.flatMap(statementItems),
    run.code === null ? [] : codeBlock(run.code, 'js'),
    ...(module === null ? [] : folded(`The codec: ${prose(moduleTitle(module))}`, [codeBlock(module, 'ts')])),
    ...figures.flatMap(figureBlocks),
  ];
}

function statementItems(statement: Statement): string[] {
  const { label, places = [], sentences = [], explanations = [] } = statement;
  const head = `- **${label.charAt(0).toUpperCase()}${label.slice(1)}**:`;
  const said = sentences.map(sentenceText);
  const explained = explanations.map(({ text }) => `  - <sub>${prose(text)}</sub>`);
  if (places.length === 0) return [`${head} ${said.join(' ')}`, ...explained];
  return [
    head,
    ...places.map(({ path, text }) => `  - ${codeSpan(path)} ${prose(text)}`),
    ...said.map((sentence) => `  - ${sentence}`),
    ...explained,
  ];
}

function figureBlocks(figure: Figure): Block[] {
  const parts = figure.parts.map(undrawn).map((part) => {
    if (part.type === 'table') return table(part.columns);
    if (part.type === 'facts') return [part.facts.map(spanText).join(' · ')];
    if (part.type === 'list') return part.items.map((item) => `- ${sentenceText(item)}`);
    return [distributionText(part.distribution)];
  });
  return figure.folded ? folded(prose(figureTitle(figure)), parts) : parts;
}

const HISTOGRAM_CELLS = 24;

const distributionText = ({ histogram, from, to }: Distribution): string =>
  `Spread ${prose(from)} \`${sparkline(histogram, HISTOGRAM_CELLS, true)}\` ${prose(to)}`;

export const markdownComparison: Reporter<ReportComparison> = (comparison, _options, words) => {
  const { reports, lead, runs, changed, notes } = comparisonSection(comparison, words);
  return joinBlocks([
    ['## clone-prof: what changed'],
    table(reports),
    [`**${sentenceText(lead)}**`],
    runs.length === 0 ? [] : table(runs),
    ...changed.flatMap(({ title, statements, shares }) =>
      folded(title.map(cellText).join(''), [
        statements.flatMap(statementItems),
        shares === null ? [] : table(shares.columns),
      ]),
    ),
    ...notes.map((note) => [`<sub>${note.map(cellText).join('')}</sub>`]),
  ]);
};
