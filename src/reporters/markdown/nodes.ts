/** Writes a printed document in GitHub Flavored Markdown, for a pull request or a job summary. */
import { type Item, type Node, type Printed, undrawn } from '../doc.ts';
import { sentenceCase } from '../section/model/sentence.ts';
import { joinBlocks } from '../text/blocks.ts';
import { sparkline } from '../text/histogram.ts';
import {
  codeBlock,
  codeSpan,
  MARKS,
  nameMarkup,
  prose,
  sentenceText,
  spanText,
  summaryText,
  table,
} from './spans.ts';

export const markdownText = ({ heading, body, facts }: Printed): string =>
  joinBlocks([
    [`## clone-prof: ${sentenceText(heading)}`],
    ...nodeBlocks(body),
    facts.length === 0 ? [] : [`<sub>${prose(facts.join(' · '))}</sub>`],
  ]);

/** Blocks of lines, separated by blank lines. Adjacent folds of one subject share one fold, to keep pages short. */
export function nodeBlocks(nodes: readonly Node[]): string[][] {
  const blocks: string[][] = [];
  for (let at = 0; at < nodes.length; ) {
    const [node, ...rest] = nodes.slice(at) as [Node, ...Node[]];
    const isAlike = (one: Node) => one.type === 'fold' && node.type === 'fold' && one.of === node.of;
    const end = rest.findIndex((one) => !isAlike(one));
    const more = isAlike(node) ? (end < 0 ? rest : rest.slice(0, end)) : [];
    const own = [node, ...more].flatMap(blocksOf);
    blocks.push(
      ...(more.length > 0 && node.type === 'fold' ? folded({ ...node, title: ['details'] }, own) : own),
    );
    at += 1 + more.length;
  }
  return blocks;
}

function blocksOf(node: Node): string[][] {
  switch (node.type) {
    case 'heading':
      return [
        [
          `${'#'.repeat(node.level + 1)} ${[sentenceText(node.text), ...node.facts.map(spanText)].join(' · ')}`,
        ],
      ];
    case 'section':
      return nodeBlocks(node.body);
    case 'block':
      return node.body.every(({ type }) => type === 'item')
        ? [nodeBlocks(node.body).flat()]
        : nodeBlocks(node.body);
    case 'text':
      return [[node.tone === 'muted' ? `<sub>${sentenceText(node.text)}</sub>` : sentenceText(node.text)]];
    case 'facts':
      return [[node.facts.map(spanText).join(' · ')]];
    case 'list':
      return [node.items.map((one) => `- ${sentenceText(one)}`)];
    case 'alert':
      return [[`${MARKS[node.tone]} ${sentenceText(node.text)}`]];
    case 'item':
      return [itemLines(node)];
    case 'table':
      return [table(node.columns)];
    case 'code':
      return [codeBlock(node.text, node.language)];
    case 'chart':
      return nodeBlocks(undrawn(node.chart));
    case 'distribution': {
      const { histogram, from, to } = node.distribution;
      return [[`Spread ${prose(from)} \`${sparkline(histogram, HISTOGRAM_CELLS, true)}\` ${prose(to)}`]];
    }
    // Contents are omitted: a reader of a pull request scrolls.
    case 'contents':
      return [];
    case 'fold':
      return folded(node, nodeBlocks(node.body));
  }
}

type Fold = Extract<Node, { type: 'fold' }>;

/** Folds the blocks. A chart may be empty in Markdown, so a fold may be, too. */
function folded(fold: Fold, blocks: readonly string[][]): string[][] {
  const filled = blocks.filter((lines) => lines.length > 0);
  return filled.length === 0
    ? []
    : [[`<details><summary>${summary(fold)}</summary>`], ...filled, ['</details>']];
}

const summary = ({ of, title }: Fold): string =>
  `${of === null ? '' : `${nameMarkup(of)}: `}${title.map(summaryText).join('')}`;

const HISTOGRAM_CELLS = 24;

function itemLines({ label, places = [], sentences = [], explanations = [] }: Item): string[] {
  const head = `- **${sentenceCase(label)}**:`;
  const texts = sentences.map(sentenceText);
  const explained = explanations.map(({ text }) => `  - <sub>${prose(text)}</sub>`);
  if (places.length === 0) return [`${head} ${texts.join(' ')}`, ...explained];
  return [
    head,
    ...places.map(({ path, text }) => `  - ${codeSpan(path)} ${prose(text)}`),
    ...texts.map((one) => `  - ${one}`),
    ...explained,
  ];
}
