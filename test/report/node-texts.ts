/** Nodes of a printed document, searched by tests. */
import type { Node } from '../../src/report/doc.ts';
import { type Body, nodesOf } from '../../src/report/nodes.ts';
import { plainText as plain } from '../../src/report/words.ts';

/** The nodes and all nodes within them. */
const allNodes = (body: Body): Node[] =>
  nodesOf(body).flatMap((node) => ('body' in node ? [node, ...allNodes(node.body)] : [node]));

/** Sentences of all items. */
export const itemTexts = (nodes: Body): string[] =>
  allNodes(nodes).flatMap((node) => (node.type === 'item' ? node.sentences.map(plain) : []));

/** Texts that are no items. */
export const nodeTexts = (nodes: Body): string[] =>
  allNodes(nodes).flatMap((node) => (node.type === 'text' ? [plain(node.text)] : []));
