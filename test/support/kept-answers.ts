/** Answers of the guest's own code about data: the same in every test of a process that has the same data. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import type { Handler } from '../../src/guest/run-guest.ts';
import { orElse } from '../../src/model/or-else.ts';
import type { Recipe } from '../../src/model/report/recipe.ts';
import type { RequestOf, Stage } from '../../src/model/wire/wire.ts';

/** Exports that a script has for a module. */
export type Scripted = (recipe: Recipe) => [name: string, value: unknown][];

const kept = new Map<string, { answer: unknown; stages: readonly Stage[] }>();

const digest = (data: string | Uint8Array): string => createHash('sha1').update(data).digest('hex');

/** The data that the payload is made of. Null if it cannot be read, or a function makes it. */
function dataOf(recipe: Recipe, scripted: Scripted): string | null {
  const { build } = recipe;
  // A file that is gone, and a value that cannot be cloned, are for the guest to tell.
  if (build.form !== 'module') return orElse(() => digest(readFileSync(build.file)), null);
  const values = scripted(recipe);
  return values.length === 0 ? null : orElse(() => digest(serialize(values)), null);
}

/** The request, with the data of its payload in place of paths. Null if a function makes the payload. */
function keyOf(request: RequestOf<'describe' | 'prove'>, scripted: Scripted): string | null {
  const { recipe } = request;
  const data = dataOf(recipe, scripted);
  const build = { ...recipe.build, file: data, source: null, original: null };
  return data && JSON.stringify({ ...request, id: null, recipe: { ...recipe, build } });
}

/** Runs `handler` once for each request about the same data, and reports its stages each time. A failure is not kept. */
export const keeping =
  <K extends 'describe' | 'prove'>(handler: Handler<K>, scripted: Scripted): Handler<K> =>
  async (request, onStage) => {
    const key = keyOf(request, scripted);
    const known = key === null ? undefined : kept.get(key);
    if (known) {
      for (const stage of known.stages) await onStage(stage);
      return known.answer as Awaited<ReturnType<Handler<K>>>;
    }
    const stages: Stage[] = [];
    const answer = await handler(request, (stage) => {
      stages.push(stage);
      return onStage(stage);
    });
    if (key !== null) kept.set(key, { answer, stages });
    return answer;
  };
