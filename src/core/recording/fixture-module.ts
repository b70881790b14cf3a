/** From a recorded shape to the text of a module that makes a payload like it. */
import type { Shape } from '../../model/rules/shape.ts';
import type { FixtureModule } from './fixture/fixture.ts';
import { patternTree } from './fixture/pattern-tree.ts';
import { ShapeWriter } from './fixture/shape-writer.ts';
import { freeSizes } from './fixture/wire-size.ts';

export type { FixtureModule };

/**
 * Values of our own, with the counts, kinds, sizes and storage of the shape.
 *
 * @param bytes serialized size of a typical message, where it is known: integers and keys get lengths that fit it
 * @throws ToolError 'document-bad' for a shape that no payload has, or that is too large to be made
 */
export function fixtureFromShape(shape: Shape, seed: number, bytes: number | null = null): FixtureModule {
  const tree = patternTree(shape);
  const writer = new ShapeWriter(tree);
  const constants = { seed: seed >>> 0, ...freeSizes(tree, shape.representation.engine, bytes) };
  const root = writer.expression(tree, tree.rows[0]!);
  const head = `Made by clone-prof from a recorded shape: kinds, counts and sizes are those of the messages, values are made up (seed ${constants.seed}).`;
  return { text: writer.text.module(head, root, constants), differences: writer.text.differences };
}
