/** Reads samples in a guest and makes one schema of them: for the command `codec` and for bundlers. */
import { GuestSlot } from '../app/job/guest-slot.ts';
import { openSources, samplesIn } from '../app/job/payloads.ts';
import { atLeastOne } from '../app/job/tools.ts';
import { ToolError } from '../model/errors.ts';
import type { Recipe } from '../model/report/recipe.ts';
import type { SchemaMade } from '../model/wire/wire.ts';
import { type Fetching, fetchOptions, type LoadOptions, type Work } from './services.ts';

interface SamplesQuery extends Fetching, Pick<LoadOptions, 'as'> {
  /** Files and globs. */
  samples: string[];
  /** Names of the exports to take from modules; null: all. */
  exports: string[] | null;
  /** The runtime that reads the samples. */
  runtime: string;
  timeoutMs: number;
}

interface ReadSamples {
  /** Recipes of the samples, at least one. */
  recipes: Recipe[];
  /** Samples that the schema is made of: files of messages count whole. */
  samples: Recipe[];
  made: SchemaMade;
}

/**
 * Reads all samples. The first unreadable one ends it: a codec of the others would not be the requested codec.
 *
 * @throws the error of a sample or a runtime
 */
export async function readSamples(work: Work, query: SamplesQuery): Promise<ReadSamples> {
  const { services, cwd, workdir, signal } = work;
  const { samples, as, exports, runtime, timeoutMs } = query;
  const sources = await services.loadSources(samples, { as, workdir, cwd, timeoutMs, signal });
  const options = fetchOptions(work, query, sources);
  const [reader] = atLeastOne(await services.findRuntimes([runtime], options)).found;
  const slot = new GuestSlot(services.tools, reader!, { timeoutMs, cwd, signal });
  try {
    const terms = { exports, via: [], worst: true, onNote: options.onNote };
    const recipes = (await openSources(sources, [slot], terms)).map(({ recipe, error }) => {
      if (recipe === null) throw error;
      return recipe;
    });
    if (recipes.length === 0) throw new ToolError('no-input');
    const whole = samplesIn(recipes);
    return { recipes, samples: whole, made: await slot.ask({ type: 'schema', recipes: whole }) };
  } finally {
    await slot.close();
  }
}
