import type { Recipe, RecipeForm, Source } from '../model/report/recipe.ts';

/** How to read what was given. Only `javascript` is run. */
export type ReadAs = 'json' | 'javascript' | 'text' | 'bytes';

/** What was pasted or dropped. */
export interface Given {
  /** "payload.json": for errors. */
  name: string;
  data: Blob;
  as: ReadAs;
}

/** Parsed twice, described four times, and held by two threads: more makes a phone give up. */
export const MAX_BYTES = 32 * 1024 * 1024;

/** A statement of a module; everything else is an expression. Such a word in a text of the payload does no harm. */
const EXPORT = /^\s*export\b/m;

/** A fresh value for each message, as a factory of a module gives it. On the first line, so that lines are those of the text. */
const asModule = (text: string): string => (EXPORT.test(text) ? text : `export default () => (${text}\n)`);

const FORMS = {
  json: (file) => ({ form: 'json', file }),
  text: (file) => ({ form: 'text', file }),
  bytes: (file) => ({ form: 'bytes', file }),
  javascript: (file) => ({ form: 'module', file, original: file, export: '*' }),
} as const satisfies Record<ReadAs, (file: string) => RecipeForm>;

/** A source, and the data that its recipe names. */
export interface Pasted {
  source: Source;
  files: ReadonlyMap<string, Blob>;
}

export async function pastedSource({ name, data, as }: Given): Promise<Pasted> {
  const recipe: Recipe = {
    id: name.replace(/\.\w+$/, ''),
    source: { file: name, export: null },
    build: FORMS[as](name),
  };
  if (as !== 'javascript') return { source: { kind: 'ready', recipe }, files: new Map([[name, data]]) };
  const module = new Blob([asModule(await data.text())], { type: 'text/javascript' });
  return { source: { kind: 'open', recipe }, files: new Map([[name, module]]) };
}
