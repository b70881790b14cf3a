import { readFileSync } from 'node:fs';
import { inferSchema } from '../../../src/core/payload-schema/payload-schema.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { GuestRequest, SchemaMade } from '../../../src/model/wire/wire.ts';
import { typeDetection } from '../../../src/probe/type-detection/type-detection.ts';
import { fakeUserValue } from './payload.ts';

type Values = Readonly<Record<string, unknown>>;

const isJson = ({ build: { form }, scale }: Recipe): boolean =>
  (form === 'json' || form === 'ndjson') && !scale;

function samplesOf(recipe: Recipe, values: Values): unknown[] {
  const { build } = recipe;
  if (build.form !== 'ndjson' || build.line !== 0) return [fakeUserValue(recipe, values)];
  const lines = readFileSync(build.file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
}

/** The schema of what a guest would build. */
export function fakeSchema(
  { recipes }: Extract<GuestRequest, { type: 'schema' }>,
  values: Values,
): SchemaMade {
  const samples: unknown[] = [];
  for (const [at, recipe] of recipes.entries()) {
    try {
      samples.push(...structuredClone(samplesOf(recipe, values)));
    } catch (error) {
      if ((error as Error).name !== 'DataCloneError') throw error;
      const uncloned = { recipe: at, reason: (error as Error).message };
      return { type: 'schema-made', schema: null, uncloned };
    }
  }
  return { type: 'schema-made', schema: inferSchema(samples, typeDetection, recipes.every(isJson)) };
}
