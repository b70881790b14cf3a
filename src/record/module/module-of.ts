/** Makes the text of a module that builds a recorded message again. */

import type { ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { ByteRequest } from '../../model/recording/recording.ts';
import { type FixtureModule, functionOf } from './module-text.ts';
import { checkWork } from './shared-values.ts';
import { sizedTree } from './sized-tree.ts';
import { TreeWriter } from './tree-writer.ts';

const HEADS = {
  kept: 'Made by clone-prof from a recorded message: its values are those that were posted.',
  masked:
    'Made by clone-prof from a recorded message: texts, numbers and keys that are data are others of the same size.',
};

/**
 * A module that makes the value. The tree is untrusted input: its texts stand in the module as literals only.
 *
 * @param seed texts that were masked begin with other signs
 * @throws ToolError 'document-bad' for a tree that is nested too deeply, or too large to be made
 */
export function moduleOf(tree: ValueTree, head: keyof typeof HEADS, seed = 0): FixtureModule {
  const writer = new TreeWriter(tree);
  const root = writer.expression(tree);
  const { text } = writer;
  const made = functionOf('', [...text.start, ...writer.statements], root);
  const parts = [`// ${HEADS[head]}`, ...text.declarations(seed), `export default ${made};`];
  return { text: `${parts.join('\n\n')}\n`, differences: text.differences };
}

/**
 * The body of a function that makes the values for counting the bytes of a message. It returns the value, and the
 * containers in it that have some items to stand for all: `[of, inside, container]`.
 *
 * @throws ToolError as `moduleOf`
 */
export function bytesModuleOf(tree: ValueTree): Pick<ByteRequest, 'body' | 'left'> {
  checkWork(tree);
  const { tree: some, parts, left } = sizedTree(tree);
  const writer = new TreeWriter(some, parts);
  const root = writer.expression(some);
  const { text } = writer;
  const body = [
    '"use strict";',
    'const parts = [];',
    'const part = (of, inside, container) => (parts.push([of, inside, container]), container);',
    ...text.declarations(0),
    ...writer.statements,
    `return { value: ${root}, parts };`,
  ];
  return { body: body.join('\n'), left };
}
