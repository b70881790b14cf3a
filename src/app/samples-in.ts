import type { Recipe } from '../model/report/recipe.ts';

/** All lines of a file of messages are samples, not only those that stand for their kinds. */
export function samplesIn(recipes: readonly Recipe[]): Recipe[] {
  const samples = new Map<string, Recipe>();
  for (const recipe of recipes) {
    const { build } = recipe;
    const isLine = build.form === 'ndjson';
    const whole: Recipe = isLine
      ? { ...recipe, build: { form: 'ndjson', file: build.file, line: 0, offset: 0, length: 0 } }
      : recipe;
    samples.set(JSON.stringify([whole.build, whole.via]), whole);
  }
  return [...samples.values()];
}
