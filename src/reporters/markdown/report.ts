/** The report for a pull request or a job summary, in GitHub Flavored Markdown: the answers, and below them the reasons, folded. */

import type { Report } from '../../model/documents/report.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import type { Node } from '../doc.ts';
import { answerNodes } from '../print/answer.ts';
import { headline } from '../print/headline.ts';
import { recordingNodes } from '../print/recording.ts';
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
import { sentenceCase } from '../section/model/sentence.ts';
import { machineFacts, NO_PAYLOADS } from '../section/payload.ts';
import { recordingSections } from '../section/recording/ranking.ts';
import { recordedSection } from '../section/recording/traffic.ts';
import { joinBlocks } from '../text/blocks.ts';
import { sparkline } from '../text/histogram.ts';
import { nodeBlocks } from './nodes.ts';
import { codeBlock, codeSpan, nameMarkup, prose, sentenceText, spanText, table } from './spans.ts';

export const markdownReport: Reporter<Report> = (report, _options, words) => {
  const sections = report.payloads.map((payload) => recordedSection(payload, words, report.recordings));
  return joinBlocks([
    [`## clone-prof: ${prose(lowerCase(headline(report)))}`],
    ...nodeBlocks(recordingNodes(report, words)),
    ...recordingSections(report, words).flatMap((one) =>
      folded(`${nameMarkup(one.file)}: all sites`, recordingBlocks(one)),
    ),
    ...report.payloads.flatMap((payload, at) => [
      ...answerBlocks(answerNodes(payload, words), sections[at]!),
    ]),
    sections.length === 0 ? [NO_PAYLOADS] : [],
    [`<sub>${prose(machineFacts(report).join(' · '))}</sub>`],
  ]);
};

function recordingBlocks(section: RecordingSection): string[][] {
  const { program, facts, lead, sites, notes } = section;
  return [
    [[sentenceText(program), ...facts.map(prose)].join(' · ')],
    ...lead.map((one) => [sentenceText(one)]),
    table(sites),
    notes.map((note) => `- ${sentenceText(note)}`),
  ];
}

/** Lines; blank lines separate blocks. */
type Block = readonly string[];

const lowerCase = (all: string): string => all.charAt(0).toLowerCase() + all.slice(1);

/** The answer of a payload, and folded the reasons for it. */
function answerBlocks(answer: readonly Node[], section: PayloadSection): Block[] {
  const { id, source, facts, traffic, answers, notes, runs } = section;
  const shown = new Set(answer.flatMap((node) => (node.type === 'code' ? node.text : [])));
  const details = [
    [[sentenceText(source), ...facts.map(prose)].join(' · ')],
    ...(traffic === undefined ? [] : [traffic.flatMap(statementItems)]),
    table(answers),
    ...notes.map((note) => [sentenceText(note)]),
    ...runs.flatMap((run) => runBlocks(run, section, shown)),
  ];
  return [...nodeBlocks(answer), ...folded(`${nameMarkup(id)}: details`, details)];
}

/** @param summary markup, escaped */
const folded = (summary: string, blocks: readonly Block[]): Block[] => [
  [`<details><summary>${summary}</summary>`],
  ...blocks,
  ['</details>'],
];

/** @param shown code that stands in the answer */
function runBlocks(run: RunSection, { id, runs }: PayloadSection, shown: ReadonlySet<string>): Block[] {
  const { status, runtimes, facts, statements, code, module, figures } = run;
  const of = runs.length === 1 ? nameMarkup(id) : `${nameMarkup(id)} on ${prose(runtimes)}`;
  return [
    [`#### ${[spanText(status), ...[runtimes, ...facts].map(prose)].join(' · ')}`],
    statements.flatMap(statementItems),
    code === null || shown.has(code.trimEnd()) ? [] : codeBlock(code, 'js'),
    ...(module === null
      ? []
      : folded(`${of}: codec, ${prose(moduleTitle(module))}`, [codeBlock(module, 'ts')])),
    ...figures.flatMap((figure) => figureBlocks(figure, of)),
  ];
}

function statementItems(statement: Statement): string[] {
  const { label, places = [], sentences = [], explanations = [] } = statement;
  const head = `- **${sentenceCase(label)}**:`;
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

function figureBlocks(figure: Figure, of: string): Block[] {
  const parts = figure.parts.map(undrawn).map((part) => {
    if (part.type === 'table') return table(part.columns);
    if (part.type === 'facts') return [part.facts.map(spanText).join(' · ')];
    if (part.type === 'list') return part.items.map((item) => `- ${sentenceText(item)}`);
    return [distributionText(part.distribution)];
  });
  return figure.folded ? folded(`${of}: ${prose(lowerCase(figureTitle(figure)))}`, parts) : parts;
}

const HISTOGRAM_CELLS = 24;

const distributionText = ({ histogram, from, to }: Distribution): string =>
  `Spread ${prose(from)} \`${sparkline(histogram, HISTOGRAM_CELLS, true)}\` ${prose(to)}`;
