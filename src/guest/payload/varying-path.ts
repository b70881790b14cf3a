import { compare } from '../../core/compare/compare.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { now } from '../platform/common/clock.ts';
import { build } from './materialize.ts';

/** A factory may give the same value a few times in a row. */
const MAX_BUILDS = 16;
const MAX_NS = 1e9;

/**
 * Where a module that uses a counter, a clock or random numbers gives another value; null where none was seen.
 *
 * @throws ToolError of building the payload
 */
export async function varyingPath(recipe: Recipe): Promise<string | null> {
  const began = now();
  const { value: first } = await build(recipe);
  for (let builds = 1; builds < MAX_BUILDS && now() - began < MAX_NS; builds++) {
    const [loss] = compare(first, (await build(recipe)).value);
    if (loss) return loss.path;
  }
  return null;
}
