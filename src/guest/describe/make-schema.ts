import { inferSchema } from '../../core/payload-schema/payload-schema.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { RequestOf, SchemaMade } from '../../model/wire/wire.ts';
import { probeFor } from '../../probe/probe.ts';
import { deliver } from '../channel/deliver.ts';
import { allLines } from '../payload/lines/ndjson.ts';
import { buildPayload } from '../payload/materialize.ts';
import { thrownMessage } from '../user-code/thrown.ts';

const isJson = ({ build: { form }, scale }: Recipe): boolean =>
  (form === 'json' || form === 'ndjson') && scale === undefined;

/**
 * Samples are read as they arrive: without getters, classes and what else a clone leaves behind.
 *
 * @throws ToolError of building a payload
 */
export async function makeSchema({ recipes }: RequestOf<'schema'>): Promise<SchemaMade> {
  const { types } = await probeFor({ ask: false });
  const samples: unknown[] = [];
  for (const [at, recipe] of recipes.entries()) {
    const { build, source } = recipe;
    if (build.form === 'ndjson' && build.line === 0) {
      for (const value of await allLines(build.file, source.file)) samples.push(value);
      continue;
    }
    const { value } = await buildPayload(recipe);
    try {
      samples.push(isJson(recipe) ? value : (await deliver(value)).data);
    } catch (error) {
      return { type: 'schema-made', schema: null, uncloned: { recipe: at, reason: thrownMessage(error) } };
    }
  }
  return { type: 'schema-made', schema: inferSchema(samples, types, recipes.every(isJson)) };
}
