/** Nodes of a document in Markdown. */
import type { Node } from '../doc.ts';
import { codeBlock, MARKS, sentenceText, spanText, table } from './spans.ts';

/** Blocks of lines; blank lines separate them. */
export const nodeBlocks = (nodes: readonly Node[]): string[][] => nodes.flatMap(blocksOf);

function blocksOf(node: Node): string[][] {
  switch (node.type) {
    case 'heading':
      return [
        [
          `${'#'.repeat(node.level + 1)} ${[sentenceText(node.text), ...node.facts.map(spanText)].join(' · ')}`,
        ],
      ];
    case 'block':
      return nodeBlocks(node.body);
    case 'text':
      return [[sentenceText(node.text)]];
    case 'facts':
      return [[node.facts.map(spanText).join(' · ')]];
    case 'alert':
      return [[`${MARKS[node.tone]} ${sentenceText(node.text)}`]];
    case 'table':
      return [table(node.columns)];
    case 'code':
      return [codeBlock(node.text, node.language)];
  }
}
