import { median } from '../../core/stats/quantiles.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import { now } from '../platform/common/clock.ts';
import { currentPlatform } from '../platform/current.ts';
import { build } from './materialize.ts';

const BUILDS = 7;
const MAX_NS = 300e6;

/**
 * What building a payload spends in reading pixels back from canvases, ns; null where it reads none.
 *
 * @throws ToolError of building it
 */
export async function timeReadBack(recipe: Recipe): Promise<number | null> {
  const { watchReadBack } = currentPlatform();
  if (watchReadBack === undefined || !isModule(recipe)) return null;
  const times: number[] = [];
  for (const began = now(); times.length < BUILDS && now() - began < MAX_NS; ) {
    const watch = watchReadBack();
    const { calls, ns } = await build(recipe).then(
      () => watch.stop(),
      (error: unknown) => {
        watch.stop();
        throw error;
      },
    );
    if (calls === 0) return null;
    times.push(ns);
  }
  return Math.round(median(times));
}
