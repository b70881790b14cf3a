/** From a kept sample to the text of a module that makes it again. */
import type { ValueTree } from '../../model/recording/value-tree.ts';
import type { FixtureModule } from './fixture/fixture.ts';
import { TreeWriter } from './fixture/tree-writer.ts';

const HEAD = 'Made by clone-prof from a recorded message: its values are those that were posted.';
const CONSTANTS = { seed: 0, integerBytes: 1, keyUnits: 1, stackUnits: 300 };

/**
 * The value itself, as far as it was kept. The tree may be a stranger's: its texts stand in the module as literals only.
 *
 * @throws ToolError 'document-bad' for a tree that is nested too deeply
 */
export function fixtureFromTree(tree: ValueTree): FixtureModule {
  const writer = new TreeWriter(tree);
  const root = writer.expression(tree, 0);
  return { text: writer.text.module(HEAD, root, CONSTANTS), differences: writer.text.differences };
}
