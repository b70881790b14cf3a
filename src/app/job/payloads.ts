import { ToolError, usage } from '../../model/errors.ts';
import type { LibraryName } from '../../model/names.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import type { Emit } from '../../model/run/events.ts';
import type { GuestSlot } from './guest-slot.ts';

/** A payload to analyze, or an input that could not be loaded. */
export type Payload = Exclude<Source, { kind: 'open' }> & {
  /** All payloads of the same schema, this payload included. */
  samples?: readonly Recipe[];
};

export const recipesOf = (payloads: readonly Payload[]): Recipe[] =>
  payloads.flatMap((payload) => (payload.kind === 'ready' ? payload.recipe : []));

const failed = (id: string, file: string, error: ToolError): Payload => ({ kind: 'failed', id, file, error });

interface OpenOptions {
  exports: string[] | null;
  via: LibraryName[];
  transfer?: readonly string[] | undefined;
  /** See `open` in the messages to guests. */
  worst?: boolean;
  emit: Emit;
}

const listing = (recipe: Recipe, { transfer = [] }: OpenOptions): Recipe =>
  transfer.length === 0 ? recipe : { ...recipe, transfer };

const inEnvelopes = (recipe: Recipe, via: LibraryName[]): Payload[] =>
  via.length === 0
    ? [{ kind: 'ready', recipe }]
    : via.map((library) => {
        const wrapped = { ...recipe, id: `${recipe.id} via ${library}`, via: library };
        return { kind: 'ready', recipe: wrapped };
      });

function withoutExports({ id, source: { file }, build }: Recipe, exports: readonly string[]): Payload {
  const kinds = build.form === 'ndjson' ? `. A kind of lines is ${file}#KIND` : '';
  const detail = `${file}: has no export '${exports[0]}'. Only modules (.js, .mjs, .ts, ...) have exports${kinds}`;
  return failed(id, file, usage(detail));
}

/** Has the payloads of each source loaded by the first guest that can. One bad input does not affect the others. */
export async function openSources(sources: Source[], slots: readonly GuestSlot[], options: OpenOptions) {
  const payloads: Payload[] = [];
  for (const source of sources) {
    // A recorded payload already has the envelope that it was posted in.
    if (source.kind === 'failed' || (source.kind === 'ready' && source.recorded)) payloads.push(source);
    else if (options.exports !== null && (source.kind === 'ready' || source.recipe.build.form !== 'module'))
      payloads.push(withoutExports(source.recipe, options.exports));
    else if (source.kind === 'open') payloads.push(...(await openPart(source, slots, options)));
    else payloads.push(...inEnvelopes(listing(source.recipe, options), options.via));
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
  const found = payloads.filter((one) => one.kind === 'failed' || isAsked(one.recipe.id.split(' via ')[0]));
  if (found.length > 0)
    return found.map((one) =>
      one.kind === 'failed' ? one : { ...one, recipe: { ...one.recipe, isOneKind: true } },
    );
  const file = recipe.source.file;
  const known = recipesOf(payloads).map((one) => one.id.split('#').slice(1).join('#'));
  const detail = `${file} has no lines that are called '${part}'. It has: ${known.join(', ')}`;
  return [failed(id, file, usage(detail))];
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
      if (recipesOf(payloads).length > 0) return payloads;
    }
    return [failed(recipe.id, recipe.source.file, error)];
  }
}

async function openedBy(slot: GuestSlot, recipe: Recipe, options: OpenOptions): Promise<Payload[]> {
  const file = recipe.source.file;
  const { exports, worst = false } = options;
  const opened = await slot.ask({ type: 'open', recipe, exports, worst });
  for (const note of opened.notes) options.emit({ type: 'note', text: `${file}: ${note}` });
  const unreadable = (opened.failed ?? []).map(({ id, code, facts }) =>
    failed(id, file, ToolError.again(code, { file, ...facts })),
  );
  return [...opened.payloads.flatMap((payload) => inEnvelopes(payload, options.via)), ...unreadable];
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
