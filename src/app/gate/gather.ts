import { runtimeKey } from '../../core/gate/baseline.ts';
import type { NamedEntry } from '../../core/gate/limit-check.ts';
import { runtimeOfSpec } from '../../core/runtime-spec.ts';
import type { CheckFailure } from '../../model/documents/check.ts';
import type { Run } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import type { CheckEntry } from '../../model/gate/check.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { classifyRun, emptyRun } from '../analyze/classify-run.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { openSources, runError } from '../payloads.ts';
import { emitStep, type GuestTerms, type MeasureTools } from '../tools.ts';
import type { GuestPool } from './guest-pool.ts';

/** One entry of the config on one runtime over one channel: the unit that shards distribute. */
export interface CheckUnit {
  entry: CheckEntry;
  /** As in the config. */
  spec: string;
  channel: Channel;
}

export interface GateRequest extends GuestTerms {
  units: readonly CheckUnit[];
  /** Names of the payloads that were asked for; null: all of the config. */
  selected: readonly string[] | null;
  /** Files of an entry. */
  sourcesOf: (entry: CheckEntry) => Source[];
  /** By spec: found, or why not. */
  runtimes: ReadonlyMap<string, FoundRuntime | ToolError>;
}

/** A payload on one runtime over one channel, classified. */
export interface Gathered {
  unit: CheckUnit;
  entry: NamedEntry;
  recipe: Recipe;
  run: Run;
  /** Key of the runtime in the baseline. */
  key: string;
  /** null where the runtime is missing. */
  slot: GuestSlot | null;
}

export interface Gathering {
  gathered: Gathered[];
  failures: CheckFailure[];
}

/** Facts of every unit, in their order. What cannot be loaded is a failure of its own; the others go on. */
export async function gather(
  request: GateRequest,
  slots: GuestPool,
  tools: MeasureTools,
): Promise<Gathering> {
  const gathering: Gathering = { gathered: [], failures: [] };
  const opened = new Map<CheckEntry, NamedRecipe[]>();
  for (const unit of request.units) {
    if (request.signal?.aborted) break;
    const recipes = opened.get(unit.entry) ?? (await openEntry(unit.entry, request, slots, tools, gathering));
    opened.set(unit.entry, recipes);
    for (const named of recipes) gathering.gathered.push(await gatherOne(unit, named, request, slots, tools));
  }
  refuseDuplicateIds(opened);
  return gathering;
}

interface NamedRecipe {
  id: string;
  recipe: Recipe;
}

async function openEntry(
  entry: CheckEntry,
  request: GateRequest,
  slots: GuestPool,
  tools: MeasureTools,
  { failures }: Gathering,
): Promise<NamedRecipe[]> {
  const sources = request.sourcesOf(entry).map((source) => named(source, entry));
  const payloads = await openSources(sources, slots.openers(entry.runtimes), {
    worst: true,
    exports: entry.export === null ? null : [entry.export],
    via: entry.via === null ? [] : [entry.via],
    transfer: entry.transfer,
    deadlineMs: request.timeoutMs,
    onNote: (text) => tools.emit({ type: 'note', text }),
  });
  for (const payload of payloads) {
    if (payload.recipe !== null) continue;
    const { code, message } = runError(payload.error);
    failures.push({ payload: payload.id, file: payload.file, code, message });
  }
  const recipes = payloads.flatMap(({ recipe }) => recipe ?? []);
  return recipes.map((recipe) => ({ id: entryName(entry, recipe), recipe }));
}

/** Named by its entry: each file of a glob, or each part that a file has or may get, below that name. */
function named(source: Source, { id }: CheckEntry): Source {
  if (id === null) return source;
  const below = (name: string) => (source.glob ? `${id}/${name}` : id);
  if (source.kind === 'failed') return { ...source, id: below(source.id) };
  return { ...source, recipe: { ...source.recipe, id: below(source.recipe.id) } };
}

/** An entry that names one export is that export; a library's envelope is part of the entry, not of its name. */
function entryName({ id, export: only, via }: CheckEntry, recipe: Recipe): string {
  if (id === null) return recipe.id;
  const plain = via === null ? recipe.id : recipe.id.slice(0, -` via ${via}`.length);
  return only === null || recipe.source.export === null ? plain : plain.slice(0, -`#${only}`.length);
}

/** Two payloads of one name would share a baseline. */
function refuseDuplicateIds(opened: ReadonlyMap<CheckEntry, readonly NamedRecipe[]>): void {
  const owners = new Map<string, CheckEntry>();
  for (const [entry, recipes] of opened) {
    for (const { id } of recipes) {
      const other = owners.get(id);
      if (other) {
        const both = other === entry ? `two of '${entry.input}'` : `'${other.input}' and '${entry.input}'`;
        const detail = `${both} are both called '${id}'. Give each payload an "id" of its own`;
        throw new ToolError('usage', { detail });
      }
      owners.set(id, entry);
    }
  }
}

async function gatherOne(
  unit: CheckUnit,
  { id, recipe }: NamedRecipe,
  request: GateRequest,
  slots: GuestPool,
  tools: MeasureTools,
): Promise<Gathered> {
  const { entry, spec, channel } = unit;
  const slot = slots.at(spec);
  const key = runtimeKey(spec, channel);
  const named = { ...entry, id, input: recipe.source.file };
  if (slot === null) {
    // A path has no name; the entry says which runtime is meant.
    const runtime = runtimeOfSpec(spec) ?? { name: 'node', version: '', engine: 'v8' };
    const run = { ...emptyRun(runtime, channel), error: runError(slots.missing(spec)) };
    return { unit, entry: { ...named, runtime: spec }, recipe, run, key, slot };
  }
  emitStep(tools, { recipe: { ...recipe, id }, runtime: slot.runtime, channel }, 'describe');
  const transferring = entry.transfer.length > 0;
  const options = { deadlineMs: request.timeoutMs, thorough: true, transferring };
  const { run } = await classifyRun(recipe, slot, channel, options);
  const { name, version } = slot.runtime;
  return { unit, entry: { ...named, runtime: `${name}@${version}` }, recipe, run, key, slot };
}
