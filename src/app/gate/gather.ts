import { runtimeKey } from '../../core/gate/baseline.ts';
import type { NamedEntry } from '../../core/gate/judged.ts';
import type { CheckEntry, CheckFailure } from '../../model/check.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe, Source } from '../../model/recipe.ts';
import type { Run } from '../../model/report.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import type { Channel, RuntimeName } from '../../model/words.ts';
import { classifyRun, emptyRun } from '../analyze/classify-run.ts';
import { GuestSeat } from '../guest-slot.ts';
import { openSources, runError } from '../payloads.ts';
import type { GuestTerms, SampleTools } from '../sample.ts';

/** What a shard deals out: one entry of the config on one runtime over one channel. */
export interface CheckUnit {
  entry: CheckEntry;
  /** As in the config. */
  spec: string;
  channel: Channel;
}

export interface GateRequest extends GuestTerms {
  units: readonly CheckUnit[];
  /** Files of an entry, already looked for. */
  sourcesOf: (entry: CheckEntry) => Source[];
  /** By spec: found, or why not. */
  runtimes: ReadonlyMap<string, FoundRuntime | ToolError>;
}

/** A payload on one runtime over one channel, as far as facts go. */
export interface Gathered {
  entry: NamedEntry;
  recipe: Recipe;
  run: Run;
  /** Key of the runtime in the baseline. */
  key: string;
  /** null where the runtime is missing. */
  seat: GuestSeat | null;
}

export interface Gathering {
  gathered: Gathered[];
  failures: CheckFailure[];
}

/** One seat for each runtime, kept for all payloads. */
export class Seats {
  readonly #seats = new Map<string, GuestSeat>();
  readonly #request: GateRequest;

  constructor(request: GateRequest, { driver }: SampleTools) {
    this.#request = request;
    for (const [spec, runtime] of request.runtimes) {
      if (!(runtime instanceof ToolError)) this.#seats.set(spec, new GuestSeat(driver, runtime, request));
    }
  }

  at(spec: string): GuestSeat | null {
    return this.#seats.get(spec) ?? null;
  }

  missing(spec: string): ToolError {
    const found = this.#request.runtimes.get(spec);
    return found instanceof ToolError ? found : new ToolError('runtime-missing', { value: spec });
  }

  /** Where modules are opened: in the entry's own runtime if it is here. */
  first(specs: readonly string[]): GuestSeat | null {
    const own = specs.map((spec) => this.at(spec)).find((seat) => seat !== null);
    return own ?? [...this.#seats.values()][0] ?? null;
  }

  /** An idle guest would take cycles from a measured one. */
  async close(): Promise<void> {
    await Promise.all([...this.#seats.values()].map((seat) => seat.close()));
  }
}

/** Facts of every unit, in their order. What cannot be loaded is a failure of its own and loses nothing else. */
export async function gather(request: GateRequest, seats: Seats, tools: SampleTools): Promise<Gathering> {
  const gathering: Gathering = { gathered: [], failures: [] };
  const opened = new Map<CheckEntry, NamedRecipe[]>();
  for (const unit of request.units) {
    if (request.signal?.aborted) break;
    const recipes = opened.get(unit.entry) ?? (await openEntry(unit.entry, request, seats, tools, gathering));
    opened.set(unit.entry, recipes);
    for (const named of recipes) gathering.gathered.push(await gatherOne(unit, named, request, seats, tools));
  }
  refuseDoubles(opened);
  return gathering;
}

interface NamedRecipe {
  id: string;
  recipe: Recipe;
}

async function openEntry(
  entry: CheckEntry,
  request: GateRequest,
  seats: Seats,
  tools: SampleTools,
  { failures }: Gathering,
): Promise<NamedRecipe[]> {
  const payloads = await openSources(request.sourcesOf(entry), seats.first(entry.runtimes), {
    exports: entry.export === null ? null : [entry.export],
    via: entry.via === null ? [] : [entry.via],
    deadlineMs: request.timeoutMs,
    onNote: (text) => tools.emit({ type: 'note', text }),
  });
  for (const payload of payloads) {
    if (payload.recipe !== null) continue;
    const { code, message } = runError(payload.error);
    failures.push({ payload: entry.id ?? payload.id, file: payload.file, code, message });
  }
  const recipes = payloads.flatMap(({ recipe }) => recipe ?? []);
  return recipes.map((recipe) => ({ id: nameOf(entry, recipe, recipes.length === 1), recipe }));
}

function nameOf({ id }: CheckEntry, recipe: Recipe, only: boolean): string {
  if (id === null) return recipe.id;
  const { export: name } = recipe.source;
  return only ? id : name === null ? `${id}/${recipe.id}` : `${id}#${name}`;
}

/** One name for two payloads would make one of them the other's baseline. */
function refuseDoubles(opened: ReadonlyMap<CheckEntry, readonly NamedRecipe[]>): void {
  const owners = new Map<string, CheckEntry>();
  for (const [entry, recipes] of opened) {
    for (const { id } of recipes) {
      const other = owners.get(id);
      if (other && other !== entry) {
        const detail = `'${other.input}' and '${entry.input}' are both called '${id}'. Give each payload an "id" of its own`;
        throw new ToolError('usage', { detail });
      }
      owners.set(id, entry);
    }
  }
}

async function gatherOne(
  { entry, spec, channel }: CheckUnit,
  { id, recipe }: NamedRecipe,
  request: GateRequest,
  seats: Seats,
  tools: SampleTools,
): Promise<Gathered> {
  const seat = seats.at(spec);
  const key = runtimeKey(spec, channel);
  const named = { ...entry, id, input: recipe.source.file };
  if (seat === null) {
    const run = { ...emptyRun(absent(spec), channel), error: runError(seats.missing(spec)) };
    return { entry: { ...named, runtime: spec }, recipe, run, key, seat };
  }
  tools.emit({ type: 'step', payload: id, runtime: spec, channel, step: 'describe', done: 0, of: 1 });
  const transferring = entry.transfer.length > 0;
  const options = { deadlineMs: request.timeoutMs, thorough: true, transferring };
  const { run } = await classifyRun(recipe, seat, channel, options);
  const { name, version } = seat.runtime;
  return { entry: { ...named, runtime: `${name}@${version}` }, recipe, run, key, seat };
}

/** Nobody reads the engine of a run that failed. */
function absent(spec: string) {
  const [name = spec, version = ''] = spec.split('@');
  return { name: name as RuntimeName, version, engine: 'v8' as const };
}
