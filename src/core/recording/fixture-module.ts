/** From a recorded shape, or a kept sample, to the text of a module that makes a payload like it. */
import type { ValueTree } from '../../model/recording/value-tree.ts';
import type { Shape } from '../../model/rules/shape.ts';

export interface FixtureModule {
  /** An ES module: its default export makes a new value at each call, the same one each time. It imports nothing. */
  text: string;
  /** What could not be made as it was: one sentence each, with the pattern. */
  differences: string[];
}

/**
 * Values of our own, with the counts, kinds, sizes and storage of the shape.
 *
 * @param bytes serialized size of a typical message, where it is known: integers and keys get lengths that fit it
 * @throws ToolError for a shape that no payload has
 */
export type FixtureFromShape = (shape: Shape, seed: number, bytes?: number | null) => FixtureModule;

/** The value itself, as far as it was kept. @throws ToolError */
export type FixtureFromTree = (tree: ValueTree) => FixtureModule;
