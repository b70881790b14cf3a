/** Nodes of a printed document, searched by tests. */
import type { Item, Node } from '../../src/reporters/doc.ts';
import type { Chart } from '../../src/reporters/section/model/charts.ts';
import type { Sentence } from '../../src/reporters/section/model/sentence.ts';

export const plain = (sentence: Sentence): string =>
  sentence.map((span) => (typeof span === 'string' ? span : span.text)).join('');

/** The nodes and all nodes within them. */
export const allNodes = (nodes: readonly Node[]): Node[] =>
  nodes.flatMap((node) => ('body' in node ? [node, ...allNodes(node.body)] : [node]));

export const itemsIn = (nodes: readonly Node[]): Item[] =>
  allNodes(nodes).flatMap((node) => (node.type === 'item' ? [node] : []));

/** Sentences of all items. */
export const itemTexts = (nodes: readonly Node[]): string[] =>
  itemsIn(nodes).flatMap(({ sentences = [] }) => sentences.map(plain));

export const chartsIn = (nodes: readonly Node[]): Chart[] =>
  allNodes(nodes).flatMap((node) => (node.type === 'chart' ? [node.chart] : []));
