/** Facts of the payloads of the gate. */
import { describeJob } from '../../app/job/describe.ts';
import { GuestSlot } from '../../app/job/guest-slot.ts';
import { Job, type JobTerms } from '../../app/job/job.ts';
import { openSources, type Payload, recipesOf, runError } from '../../app/job/payloads.ts';
import type { MeasureTools } from '../../app/job/tools.ts';
import { factsOf, runtimeKey } from '../../core/gate/baseline.ts';
import type { NamedEntry } from '../../core/gate/limits.ts';
import { runtimeOfSpec } from '../../core/versions.ts';
import type { BaselineFacts } from '../../model/documents/baseline.ts';
import type { CheckFailure, Comparison } from '../../model/documents/check.ts';
import { ToolError, usage } from '../../model/errors.ts';
import { PROCESS_RUNTIMES } from '../../model/names.ts';
import { DEFAULTS } from '../../model/presets.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import type { CheckEntry } from '../../model/run/check-config.ts';
import type { CheckUnit, Gate } from './gate-request.ts';

/** Guest slots of a gate, a slot per runtime, shared by all payloads; with the gate and tools for each step. */
export class Guests {
  readonly gate: Gate;
  readonly tools: MeasureTools;
  readonly #slots = new Map<string, GuestSlot>();
  /** Slots whose guests seem to run on the other kind of machine: see `elsewhere` of a start. */
  readonly #elsewhere = new Map<string, GuestSlot>();

  constructor(gate: Gate, tools: MeasureTools) {
    this.gate = gate;
    this.tools = tools;
    for (const [spec, found] of gate.runtimes) {
      if (found instanceof ToolError) {
        this.#slots.set(spec, absentSlot(spec, found, gate));
        continue;
      }
      this.#slots.set(spec, new GuestSlot(tools, found, gate));
      if (PROCESS_RUNTIMES.some((one) => one === found.name))
        this.#elsewhere.set(spec, new GuestSlot(tools, found, { ...gate, elsewhere: true }));
    }
  }

  at(spec: string): GuestSlot {
    const unasked = new ToolError('runtime-missing', { value: spec, detail: 'not asked for' });
    return this.#slots.get(spec) ?? absentSlot(spec, unasked, this.gate);
  }

  /** Slot on the other kind of machine; null if guests of the runtime do not have an environment. */
  elsewhere(spec: string): GuestSlot | null {
    return this.#elsewhere.get(spec) ?? null;
  }

  /** Guests that open modules: the available runtimes of the entry, else all available runtimes. */
  openers(specs: readonly string[]): GuestSlot[] {
    const own = specs.map((spec) => this.at(spec)).filter(isHere);
    return own.length > 0 ? own : [...this.#slots.values()].filter(isHere);
  }

  /** Closes all guests: an idle guest would take cycles from a measured guest. */
  async close(): Promise<void> {
    const all = [...this.#slots.values(), ...this.#elsewhere.values()];
    await Promise.all(all.map((slot) => slot.close()));
  }
}

const ABSENT = 'missing';
const isHere = ({ runtime }: GuestSlot) => runtime.from !== ABSENT;

/** Slot of a missing runtime: its start fails. Node stands in for a path; results show the path. */
function absentSlot(spec: string, error: ToolError, terms: Gate): GuestSlot {
  const id = runtimeOfSpec(spec) ?? { name: 'node', version: '', engine: 'v8' };
  const start = () => Promise.reject(error);
  return new GuestSlot({ driver: { start } }, { ...id, spec, binary: '', from: ABSENT }, terms);
}

/** Job of one payload of an entry of the config. */
export class GateJob extends Job {
  readonly unit: CheckUnit;
  /** The entry, with the limits that are checked. */
  entry: NamedEntry;
  /** Time of the payload relative to the other side; null if it is not measured. */
  timed: NonNullable<Comparison['time']> | null = null;

  constructor(terms: JobTerms, unit: CheckUnit, entry: NamedEntry) {
    super(terms);
    this.unit = unit;
    this.entry = entry;
  }

  /** Key of the runtime in the baseline. */
  get key(): string {
    return runtimeKey(this.unit.spec, this.channel);
  }

  /** Names of the payload, the runtime and the channel in reports. */
  get place() {
    return { payload: this.id, runtime: this.entry.runtime, channel: this.channel };
  }

  get facts(): BaselineFacts | null {
    return factsOf(this.run);
  }

  hasFacts(facts: BaselineFacts): boolean {
    return JSON.stringify(this.facts) === JSON.stringify(facts);
  }
}

/** Gathers the facts of all units in order. A payload that cannot be loaded does not stop the others. */
export async function gather(guests: Guests): Promise<{ gathered: GateJob[]; failures: CheckFailure[] }> {
  const gathered: GateJob[] = [];
  const failures: CheckFailure[] = [];
  const owners = new Map<string, CheckEntry>();
  const { units, signal } = guests.gate;
  for (const entry of new Set(units.map((unit) => unit.entry))) {
    const payloads = signal?.aborted ? [] : await payloadsOf(entry, guests);
    const recipes = recipesOf(payloads);
    for (const recipe of recipes) own(payloadName(entry, recipe), entry, owners);
    for (const unit of units.filter((one) => one.entry === entry))
      for (const recipe of recipes)
        if (!signal?.aborted)
          gathered.push(await gatherOne(unit, payloadName(entry, recipe), recipe, guests));
    for (const payload of payloads) {
      if (payload.kind !== 'failed') continue;
      const { code, message } = runError(payload.error);
      failures.push({ payload: payload.id, file: payload.file, code, message });
    }
  }
  return { gathered, failures };
}

/** @throws ToolError 'usage' if two payloads have the same name: they would share facts of the baseline */
function own(id: string, entry: CheckEntry, owners: Map<string, CheckEntry>): void {
  const other = owners.get(id);
  owners.set(id, entry);
  if (other === undefined) return;
  const both = other === entry ? `two of '${entry.input}'` : `'${other.input}' and '${entry.input}'`;
  throw usage(`${both} are both called '${id}'. Give each payload an "id" of its own`);
}

function payloadsOf(entry: CheckEntry, guests: Guests): Promise<Payload[]> {
  const { gate, tools } = guests;
  const sources = (gate.sources.get(entry) ?? []).map((source) => named(source, entry));
  return openSources(sources, guests.openers(entry.runtimes), {
    worst: true,
    exports: entry.export === null ? null : [entry.export],
    via: entry.via === null ? [] : [entry.via],
    transfer: entry.transfer,
    emit: tools.emit,
  });
}

/** Names a source after the id of its entry; files of a glob get a name below it: `id/name`. */
function named(source: Source, { id }: CheckEntry): Source {
  if (id === null) return source;
  const below = (name: string) => (source.glob ? `${id}/${name}` : id);
  if (source.kind === 'failed') return { ...source, id: below(source.id) };
  return { ...source, recipe: { ...source.recipe, id: below(source.recipe.id) } };
}

/** Name of a payload. If the entry has an id, its library's envelope and its only export are not part of the name. */
function payloadName({ id, export: only, via }: CheckEntry, recipe: Recipe): string {
  if (id === null) return recipe.id;
  const plain = via === null ? recipe.id : recipe.id.slice(0, -` via ${via}`.length);
  return only === null || recipe.source.export === null ? plain : plain.slice(0, -`#${only}`.length);
}

async function gatherOne(unit: CheckUnit, id: string, recipe: Recipe, guests: Guests): Promise<GateJob> {
  const { entry, spec, channel } = unit;
  const slot = guests.at(spec);
  const { name, version } = slot.runtime;
  const terms = {
    ...{ recipe, slot, channel, tools: guests.tools, seed: DEFAULTS.seed, sender: entry.sender },
    ...{ id, transferring: entry.transfer.length > 0 },
  };
  const runtime = isHere(slot) ? `${name}@${version}` : spec;
  const job = new GateJob(terms, unit, { ...entry, id, input: recipe.source.file, runtime });
  job.step('describe');
  await describeJob(job, { thorough: true });
  return job;
}
