import { readFileSync } from 'node:fs';
import { inEnvelope } from '../../../src/core/recording/envelopes/envelopes.ts';
import { scaled } from '../../../src/core/sweep/scale.ts';
import { ToolError } from '../../../src/model/errors.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';

type Values = Readonly<Record<string, unknown>>;

/** What a module sees of the guest that it is loaded in. */
export interface FakePlace {
  cwd: string;
  /** Its environment is that of another machine. */
  elsewhere: boolean;
}

const NOWHERE: FakePlace = { cwd: '/', elsewhere: false };

/** What a guest would build: out of `values` by recipe id, or of the file itself. */
export function fakePayload(recipe: Recipe, values: Values, place = NOWHERE): unknown {
  const value = fakeUserValue(recipe, values, place);
  return recipe.via ? inEnvelope(recipe.via, value) : value;
}

/** Without the envelope of a library. */
export function fakeUserValue(recipe: Recipe, values: Values, place = NOWHERE): unknown {
  const { via, id } = recipe;
  return inSize(via ? { ...recipe, id: id.replace(` via ${via}`, '') } : recipe, values, place);
}

function inSize({ scale, ...recipe }: Recipe, values: Values, place: FakePlace): unknown {
  const value = asItIs(recipe, values, place);
  return scale ? scaled(value, scale, structuredClone) : value;
}

function asItIs({ id, build, source }: Recipe, values: Values, place: FakePlace): unknown {
  const value = Object.hasOwn(values, id) ? values[id] : undefined;
  if (typeof value === 'function')
    return value(readFileSync(build.form === 'module' ? build.file : source.file, 'utf8'), place);
  if (value !== undefined) return structuredClone(value);
  if (build.form === 'json') return JSON.parse(readFileSync(build.file, 'utf8')) as unknown;
  if (build.form === 'ndjson') {
    const bytes = readFileSync(build.file).subarray(build.offset, build.offset + build.length);
    return JSON.parse(bytes.toString()) as unknown;
  }
  if (build.form === 'text') return readFileSync(build.file, 'utf8');
  throw new ToolError('module-threw', { file: source.file, detail: `the script has no value for '${id}'` });
}
