import type { RunError } from '../../model/documents/report.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { LibraryName } from '../../model/names.ts';
import type { Recipe, Recorded, Source } from '../../model/report/recipe.ts';
import type { Emit } from '../../model/run/events.ts';
import type { GuestSlot } from './job.ts';

/** A payload to analyze, or an input that could not be loaded. */
export type Payload = (
  | { recipe: Recipe; error: null }
  | { recipe: null; id: string; file: string; error: ToolError }
) & {
  recorded?: Recorded;
  /** All payloads of the same schema, this payload included. */
  samples?: readonly Recipe[];
};

interface OpenOptions {
  exports: string[] | null;
  via: LibraryName[];
  /** Paths of the transfer list of each payload. */
  transfer?: readonly string[] | undefined;
  /** See `open` in the messages to guests. */
  worst?: boolean;
  emit: Emit;
}

export function runError(error: unknown): RunError {
  if (!(error instanceof ToolError)) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { code: 'internal', message };
  }
  const { code, message, facts } = error;
  return { code, message, ...(facts.path === undefined ? {} : { path: facts.path }) };
}

const listing = (recipe: Recipe, { transfer = [] }: OpenOptions): Recipe =>
  transfer.length === 0 ? recipe : { ...recipe, transfer };

/** The payload in the envelope of each requested library; if none was requested, the payload itself. */
const inEnvelopes = (recipe: Recipe, via: LibraryName[]): Payload[] =>
  via.length === 0
    ? [{ recipe, error: null }]
    : via.map((library) => {
        const wrapped = { ...recipe, id: `${recipe.id} via ${library}`, via: library };
        return { recipe: wrapped, error: null };
      });

/** Has the payloads of each source loaded by the first guest that can. One bad input does not affect the others. */
export async function openSources(
  sources: Source[],
  slots: readonly GuestSlot[],
  options: OpenOptions,
): Promise<Payload[]> {
  const payloads: Payload[] = [];
  for (const source of sources) {
    const { recorded } = source;
    if (source.kind === 'failed') {
      const { id, file, error } = source;
      payloads.push({ recipe: null, id, file, error, ...(recorded && { recorded }) });
    } else if (recorded) {
      // A recorded payload already has the envelope that it was posted in.
      payloads.push({ recipe: source.recipe, error: null, recorded });
    } else if (options.exports !== null && source.kind === 'ready') {
      const { id, source: file } = source.recipe;
      const detail = `${file.file}: has no export '${options.exports[0]}'. Only modules (.js, .mjs, .ts, ...) have exports`;
      payloads.push({ recipe: null, id, file: file.file, error: usage(detail) });
    } else if (source.kind === 'ready') {
      payloads.push(...inEnvelopes(listing(source.recipe, options), options.via));
    } else {
      payloads.push(...(await openPart(source, slots, options)));
    }
  }
  return payloads;
}

async function openPart(
  { recipe, part }: Extract<Source, { kind: 'open' }>,
  slots: readonly GuestSlot[],
  options: OpenOptions,
): Promise<Payload[]> {
  const listed = listing(recipe, options);
  if (part === undefined) return openOne(listed, slots, options);
  if (recipe.build.form === 'module') return openOne(listed, slots, { ...options, exports: [part] });
  const id = `${recipe.id}#${part}`;
  const payloads = await openOne(listed, slots, options);
  // A gate also takes lines of a different shape as this kind: a short new line may have taken the plain name.
  const isAsked = (name = '') => name === id || (options.worst === true && name.startsWith(`${id}~`));
  const found = payloads.filter(({ recipe: one }) => one === null || isAsked(one.id.split(' via ')[0]));
  if (found.length > 0)
    return found.map((one) => (one.recipe ? { ...one, recipe: { ...one.recipe, isOneKind: true } } : one));
  const file = recipe.source.file;
  const known = payloads.flatMap((one) => one.recipe?.id.split('#').slice(1).join('#') ?? []);
  const detail = `${file} has no lines that are called '${part}'. It has: ${known.join(', ')}`;
  return [{ recipe: null, id, file, error: usage(detail) }];
}

/** Errors of one runtime only: the next one may load the payload, as a browser cannot load a module of Node. */
const OF_ONE_RUNTIME = new Set<string>(['module-unsupported', 'module-build-failed', 'browser-left']);

async function openOne(
  recipe: Recipe,
  [slot, ...others]: readonly GuestSlot[],
  options: OpenOptions,
): Promise<Payload[]> {
  try {
    if (!slot)
      throw new ToolError('runtime-missing', { value: 'any', detail: 'no runtime is installed to load it' });
    return await openedBy(slot, recipe, options);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (others.length > 0 && OF_ONE_RUNTIME.has(error.code)) {
      const payloads = await openOne(recipe, others, options);
      if (payloads.some((payload) => payload.recipe !== null)) return payloads;
    }
    return [{ recipe: null, id: recipe.id, file: recipe.source.file, error }];
  }
}

async function openedBy(slot: GuestSlot, recipe: Recipe, options: OpenOptions): Promise<Payload[]> {
  const file = recipe.source.file;
  const { exports, worst = false } = options;
  const opened = await slot.ask({ type: 'open', recipe, exports, worst });
  for (const note of opened.notes) options.emit({ type: 'note', text: `${file}: ${note}` });
  const failed = (opened.failed ?? []).map(({ id, code, facts }): Payload => {
    return { recipe: null, id, file, error: ToolError.again(code, { file, ...facts }) };
  });
  return [...opened.payloads.flatMap((payload) => inEnvelopes(payload, options.via)), ...failed];
}

/** Samples of a schema: files of messages count with all lines, not just the one line that represents each kind. */
export function samplesIn(recipes: readonly Recipe[]): Recipe[] {
  const samples = new Map<string, Recipe>();
  for (const recipe of recipes) {
    const { build, isOneKind } = recipe;
    const lines = isOneKind ? { line: 0 } : { line: 0, offset: 0, length: 0 };
    const whole: Recipe = build.form === 'ndjson' ? { ...recipe, build: { ...build, ...lines } } : recipe;
    samples.set(JSON.stringify([whole.build, whole.via]), whole);
  }
  return [...samples.values()];
}
