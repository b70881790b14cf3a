/** Requests to the gate, and the facts of their payloads. */
import { factsOf, runtimeKey } from '../../core/gate/baseline.ts';
import type { Contract } from '../../core/gate/contract.ts';
import type { NamedEntry } from '../../core/gate/limits.ts';
import type { SchemaChange } from '../../core/payload-schema/changes.ts';
import { runtimeOfSpec } from '../../core/runtime-spec.ts';
import type { Baseline, BaselineFacts } from '../../model/documents/baseline.ts';
import type {
  BaseCommit,
  CheckFailure,
  CheckInputs,
  Comparison,
  Shard,
} from '../../model/documents/check.ts';
import type { CodecSchema, PayloadSchema } from '../../model/documents/payload-schema.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { NewPolicy } from '../../model/gate/limits.ts';
import { type Channel, PROCESS_RUNTIMES } from '../../model/names.ts';
import { DEFAULTS } from '../../model/presets.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/tried.ts';
import type { CheckConfig, CheckEntry } from '../../model/run/check-config.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { describeJob } from '../job/describe.ts';
import { GuestSlot } from '../job/guest-slot.ts';
import { Job, type JobTerms } from '../job/job.ts';
import { openSources, type Payload, recipesOf, runError } from '../job/payloads.ts';
import type { GuestTerms } from '../job/request.ts';
import type { MeasureTools } from '../job/tools.ts';

/** Guest slots of a request, a slot per runtime, shared by all payloads; with the request and tools for each step. */
export class Guests<Request extends GateRequest = GateRequest> {
  readonly request: Request;
  readonly tools: MeasureTools;
  readonly #slots = new Map<string, GuestSlot>();
  /** Slots whose guests seem to run on the other kind of machine: see `elsewhere` of a start. */
  readonly #elsewhere = new Map<string, GuestSlot>();

  constructor(request: Request, tools: MeasureTools) {
    this.request = request;
    this.tools = tools;
    for (const [spec, found] of request.runtimes) {
      if (found instanceof ToolError) {
        this.#slots.set(spec, absentSlot(spec, found, request));
        continue;
      }
      this.#slots.set(spec, new GuestSlot(tools, found, request));
      if (PROCESS_RUNTIMES.some((one) => one === found.name))
        this.#elsewhere.set(spec, new GuestSlot(tools, found, { ...request, elsewhere: true }));
    }
  }

  at(spec: string): GuestSlot {
    const unasked = new ToolError('runtime-missing', { value: spec, detail: 'not asked for' });
    return this.#slots.get(spec) ?? absentSlot(spec, unasked, this.request);
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
function absentSlot(spec: string, error: ToolError, terms: GuestTerms): GuestSlot {
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
  const { units, signal } = guests.request;
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
  const { request, tools } = guests;
  const sources = (request.sources.get(entry) ?? []).map((source) => named(source, entry));
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

/** One entry of the config on one runtime over one channel: the unit that shards distribute. */
export interface CheckUnit {
  entry: CheckEntry;
  /** Name of the runtime in the config. */
  spec: string;
  channel: Channel;
}

export interface GateRequest extends GuestTerms {
  config: CheckConfig;
  units: readonly CheckUnit[];
  /** Names of the requested payloads; null: all payloads of the config. */
  selected: readonly string[] | null;
  /** Sources of each entry. */
  sources: ReadonlyMap<CheckEntry, Source[]>;
  /** Runtime for each spec, or the error if it was not found. */
  runtimes: ReadonlyMap<string, FoundRuntime | ToolError>;
  /** Writes the text where guests can read it during the run; returns the path. */
  keepSample: (json: string) => Promise<string>;
}

export interface BaselineRequest extends GateRequest {
  /** Keep a copy of each payload, unchanged or with masked texts. null: facts only. */
  samples: 'plain' | 'masked' | null;
}

/** Terms of a check, as they were typed. */
export interface CheckTerms {
  /** Time in ms for each limit on time. */
  budgetMs: number;
  /** Time in ms for all limits on time together; each gets at most `budgetMs`. Null: unlimited. */
  totalMs: number | null;
  seed: number;
  /** True if paths in results keep keys that look like data. */
  keys: boolean;
  shard: Shard | null;
  /** With a commit: what `removed` of the config names may be gone. */
  allowRemoved: boolean;
}

export interface CheckRequest extends GateRequest {
  terms: CheckTerms;
  baseline: Baseline | null;
  /** Commit to compare with instead of the baseline. */
  base: BaseRequest | null;
  /** Demands of the other side that the current config drops or loosens. */
  contract: Contract | null;
  /** Policy for new payloads, from the config of the other commit if there is a commit. */
  newPolicy: NewPolicy;
  inputs: CheckInputs;
  /** Rewrites for each word under `remedies` of the entries. */
  tries: ReadonlyMap<string, readonly TriedRewrite[]>;
  codecs: CodecFiles;
  /** Line of the payload's file on which the value at these keys and indices begins; null if it is not known. */
  lineOf: (recipe: Recipe, steps: readonly (string | number)[]) => number | null;
}

/** The same entries in another commit. */
export interface BaseRequest extends BaseCommit {
  /** The request with the sources of that commit; modules run in its folders. */
  request: GateRequest;
  /** Temporary folder of its files. Messages show their names in the repository instead. */
  folder: string;
  /** Returns why the commit does not have the payloads that this file has now. */
  absence: (entry: CheckEntry, file: string) => Promise<Absence>;
  /** True if both are built of equal bytes. False for modules, because their imports may differ. */
  isSameFile: (now: Recipe, before: Recipe) => Promise<boolean>;
}

/** Reason why a side does not have a payload. */
export interface Absence {
  /**
   * `new`: the payload is newer than the commit. `lacking`: the commit demands a file that is not in git, or the
   * baseline is older. `unread`: the commit has or may have the payload, but it cannot be read there.
   */
  kind: 'new' | 'lacking' | 'unread';
  /** "it is a submodule" */
  reason?: string;
}

/** Codecs by the file that an entry names, relative to the folder of the config. */
export type CodecFiles = Map<string, CodecFile>;

export interface CodecFile {
  /** Null if the codec does not exist yet. */
  load(): Promise<LoadedCodec | null>;
  /** Writes the codec again and reports the reason; null without --fix-codec. */
  rewrite: ((made: RewrittenCodec) => Promise<void>) | null;
}

export interface LoadedCodec {
  tried: TriedRewrite;
  /** Schema in the codec's last line. Null if the codec was not compiled. 'unreadable' if the line was edited. */
  madeOf: CodecSchema | null | 'unreadable';
}

export interface RewrittenCodec {
  schema: PayloadSchema;
  /** Schema of the previous codec. */
  madeOf: CodecSchema | null;
  changes: readonly SchemaChange[];
  /** Distinct sources of the payloads. */
  sources: readonly Recipe['source'][];
}
