import type { Distribution } from '../section/model/columns.ts';
import {
  type Figure,
  type FigurePart,
  figureTitle,
  moduleTitle,
  type PayloadSection,
  type RunSection,
  type Statement,
} from '../section/model/model.ts';
import { sparkline } from '../text/histogram.ts';
import { code, codeBlock, MARKS, prose, sentenceText, spanText } from './spans.ts';
import { table } from './table.ts';

/** Lines; blank lines separate blocks. */
type Block = readonly string[];

/** The reasons for the answers of a payload, folded. Its answers stand above; those of a recorded site do not. */
export function payloadBlocks(section: PayloadSection): Block[] {
  const { id, source, facts, error, traffic, answers, notes, runs } = section;
  return folded(`<code>${prose(id)}</code>`, [
    [[sentenceText(source), ...facts.map(prose)].join(' · ')],
    ...(error === null ? [] : errorBlocks(error)),
    ...(traffic === undefined ? [] : [traffic.flatMap(statementItems), table(answers)]),
    ...notes.map((note) => [sentenceText(note)]),
    ...runs.flatMap(runBlocks),
  ]);
}

/** What contradicts the rule book must not be folded away. */
export const alarmBlocks = ({ id, runs }: PayloadSection): Block[] =>
  runs.flatMap(({ alarm }) =>
    alarm === null ? [] : [['> [!WARNING]', `> ${code(id)}: ${sentenceText(alarm)}`]],
  );

/** @param summary markup, escaped */
export const folded = (summary: string, blocks: readonly Block[]): Block[] => [
  [`<details><summary>${summary}</summary>`],
  ...blocks,
  ['</details>'],
];

const errorBlocks = (error: string): Block[] => [[`${MARKS.bad} **Failed**`], codeBlock(error, 'text')];

function runBlocks(run: RunSection): Block[] {
  const { status, runtimes, facts, error, statements, figures } = run;
  return [
    [`#### ${[spanText(status), ...[runtimes, ...facts].map(prose)].join(' · ')}`],
    ...(error === null ? [] : errorBlocks(error)),
    statements.flatMap(statementItems),
    run.code === null ? [] : codeBlock(run.code, 'js'),
    ...(run.module === null ? [] : moduleBlocks(run.module)),
    ...figures.flatMap(figureBlocks),
  ];
}

const moduleBlocks = (module: string): Block[] =>
  folded(`The codec: ${prose(moduleTitle(module))}`, [codeBlock(module, 'ts')]);

export function statementItems(statement: Statement): string[] {
  const { label, places = [], sentences = [], explanations = [] } = statement;
  const head = `- **${label.charAt(0).toUpperCase()}${label.slice(1)}**:`;
  const said = sentences.map(sentenceText);
  const explained = explanations.map(({ text }) => `  - <sub>${prose(text)}</sub>`);
  if (places.length === 0) return [`${head} ${said.join(' ')}`, ...explained];
  return [
    head,
    ...places.map(({ path, text }) => `  - ${code(path)} ${prose(text)}`),
    ...said.map((sentence) => `  - ${sentence}`),
    ...explained,
  ];
}

function figureBlocks(figure: Figure): Block[] {
  const parts = figure.parts.map(partBlock);
  return figure.folded ? folded(prose(figureTitle(figure)), parts) : parts;
}

function partBlock(part: FigurePart): Block {
  switch (part.type) {
    case 'table':
      return table(part.columns);
    case 'distribution':
      return [distributionText(part.distribution)];
    case 'chart':
      return part.chart.isDrawnOnly ? [] : table(part.chart.columns);
    case 'facts':
      return [part.facts.map(spanText).join(' · ')];
    case 'list':
      return part.items.map((item) => `- ${sentenceText(item)}`);
  }
}

const HISTOGRAM_CELLS = 24;

const distributionText = ({ histogram, from, to }: Distribution): string =>
  `Spread ${prose(from)} \`${sparkline(histogram, HISTOGRAM_CELLS, true)}\` ${prose(to)}`;
