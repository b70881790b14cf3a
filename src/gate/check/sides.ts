/** Facts of the payloads of the gate, as they are now, and those of a baseline or another commit to compare with. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeJob } from '../../app/job/describe.ts';
import { GuestSlot } from '../../app/job/guest-slot.ts';
import { Job, type JobTerms, type MeasureTools, runError } from '../../app/job/job.ts';
import { openSources, type Payload, recipesOf } from '../../app/job/payloads.ts';
import { BASELINE, readDocument } from '../../app/store/documents.ts';
import type { Work } from '../../app/world/services.ts';
import { runtimeOfSpec } from '../../engines/versions/versions.ts';
import type { Waiting } from '../../machine/given-file.ts';
import type { Baseline, BaselineFacts, Demand, Limit } from '../../model/documents/baseline.ts';
import type {
  BaseCommit,
  CheckFailure,
  ComparedFacts,
  Comparison,
  LimitResult,
} from '../../model/documents/check.ts';
import { ToolError, usage } from '../../model/errors.ts';
import { BASELINE_SCHEMA, PROCESS_RUNTIMES } from '../../model/names.ts';
import { isModule, type Recipe, type Source } from '../../model/report/recipe.ts';
import { type CheckEntry, type CheckUnit, entryName } from '../../model/run/check-config.ts';
import { DEFAULTS } from '../../model/run/runtime.ts';
import { masked } from '../../value/shape/masking.ts';
import { HOST_KINDS, valueFacts } from '../../value/shape/shape-facts.ts';
import {
  type BaselinePayloads,
  baselineText,
  editedIn,
  factsIn,
  factsOf,
  type RecordedFacts,
  runtimeKey,
  sampleIn,
  updatedPayloads,
} from '../compare/baseline.ts';
import { comesFrom } from '../compare/check-report.ts';
import type { Demanded, Gone } from '../compare/demands.ts';
import { checkAbsoluteFacts, type LimitCheck, type NamedEntry, softly } from '../compare/limits.ts';
import { type Asked, demandsNow, type Formers, type Gate, type GateQuery, hashOf } from './gate-request.ts';

export class Guests {
  readonly gate: Gate;
  readonly tools: MeasureTools;
  /** The slot of a runtime, and a slot whose guests seem to run on the other kind of machine (`elsewhere` of a start). */
  readonly #slots = new Map<string, [GuestSlot, GuestSlot?]>();

  constructor(gate: Gate, tools: MeasureTools) {
    this.gate = gate;
    this.tools = tools;
    for (const [spec, found] of gate.runtimes) {
      const isAbsent = found instanceof ToolError;
      const slot = isAbsent ? absentSlot(spec, found, gate) : new GuestSlot(tools, found, gate);
      const hasEnvironment = !isAbsent && PROCESS_RUNTIMES.some((one) => one === found.name);
      const other = hasEnvironment && new GuestSlot(tools, found, { ...gate, elsewhere: true });
      this.#slots.set(spec, other ? [slot, other] : [slot]);
    }
  }

  at(spec: string): GuestSlot {
    return this.#slots.get(spec)![0];
  }

  /** Null if guests of the runtime do not have an environment. */
  elsewhere(spec: string): GuestSlot | null {
    return this.#slots.get(spec)?.[1] ?? null;
  }

  /** Guests that open modules: the available runtimes of the entry, else all available runtimes. */
  openers(specs: readonly string[]): GuestSlot[] {
    const here = [...this.#slots].filter(([, [slot]]) => isHere(slot));
    const own = here.filter(([spec]) => specs.includes(spec));
    return (own.length > 0 ? own : here).map(([, [slot]]) => slot);
  }

  /** Closes all guests: an idle guest would take cycles from a measured guest. */
  async close(): Promise<void> {
    await Promise.all([...this.#slots.values()].flat().map((slot) => slot?.close()));
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

  get key(): string {
    return runtimeKey(this.unit.spec, this.channel);
  }

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
  throw usage(
    `'${other.input}' and '${entry.input}' are both called '${id}'. Give each payload an "id" of its own`,
  );
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

export interface Side {
  base?: BaseCommit;
  /** Commit of this side, or a hash of its facts: equal in all shards of one check. Null without a baseline. */
  version: string | null;
  /** Null without a baseline: payloads are not compared. */
  facts: BaselinePayloads | null;
  /** Payloads of the commit under their current names; empty for a baseline. */
  payloads: readonly GateJob[];
  /** Finds the earlier payload that a current payload is measured against, or what is known without measuring. */
  earlier: (one: GateJob, was: BaselineFacts, limit: Limit) => Promise<Recipe | LimitCheck>;
  /** Fields of the result for a payload that this side does not have. */
  absence: (one: GateJob) => Promise<Partial<LimitResult>>;
}

/** A side whose facts are not known yet. */
export interface OtherSide extends Pick<Side, 'base'> {
  /** Null if it demands nothing. */
  demanded: Demanded | null;
  /** Its parts other than payloads that the current side lacks. */
  gone: Gone[];
  /** @param formers former entry of each current one */
  open: (gate: Gate, formers: Formers) => Promise<Side>;
}

/** Null if the file does not exist. */
export async function readBaseline(path: string, file: string, waiting: Waiting): Promise<Baseline | null> {
  return existsSync(path) ? readDocument(path, file, BASELINE, waiting) : null;
}

/** Reads the baseline, and warns of parts that were edited. @throws ToolError 'document-bad' */
export async function baselineSide(
  { asked, baselinePath, baselineFile: file }: Asked,
  { payloads, timeoutMs }: GateQuery,
  work: Work,
): Promise<OtherSide> {
  const { emit, signal } = work;
  const baseline = await readBaseline(baselinePath, file, { timeoutMs, signal });
  const edited = baseline === null ? [] : editedIn(baseline);
  if (edited.length > 0) {
    const text = `${file} is not as clone-prof baseline wrote it: ${edited.join(', ')}`;
    emit({ type: 'warning', text });
  }
  const names = new Set(asked.map(entryName));
  const isAsked = (one: Demand) => payloads.length === 0 || names.has(entryName(one));
  return {
    demanded: baseline && {
      ...baseline.demands,
      entries: baseline.demands.payloads.filter(isAsked),
    },
    gone: [],
    open: async ({ workdir }) => ({
      ...{
        facts: baseline?.payloads ?? null,
        payloads: [],
        version: baseline && hashOf(baselineText(baseline)),
      },
      absence: async () => ({}),
      async earlier(one, was, limit) {
        const kept = sampleIn(baseline?.payloads ?? {}, one.id);
        if (kept === null) return softly(limit, NO_SAMPLE);
        const now = await sampleOf(one);
        const shown = now !== null && kept.masked ? JSON.stringify(masked(JSON.parse(now))) : now;
        // The same payload with the same facts cannot have another time or memory.
        const isSame = shown === kept.json && one.hasFacts(was);
        return isSame ? UNCHANGED : keptSample(one.recipe, kept.json, workdir);
      },
    }),
  };
}

export const recordedOf = ({ id, key, unit }: GateJob, facts: BaselineFacts): RecordedFacts => ({
  ...{ id, key, facts, entry: entryName(unit.entry), sample: null },
});

export const runKey = ({ id, key }: GateJob) => JSON.stringify([id, key]);

/** Both sides are timed in one process in the current folder: facts ensure that a module makes its value there. */
export function withFacts({ recipe, run: { via, shape } }: Pick<GateJob, 'recipe' | 'run'>): Recipe {
  const own = via?.shape ?? shape;
  // Facts do not say by which channel they were counted: own properties of a Blob are sent over some.
  const isOfChannel = own?.patterns.some(({ parent }) => parent !== null && HOST_KINDS.has(parent));
  return isModule(recipe) && own && !isOfChannel ? { ...recipe, facts: valueFacts(own) } : recipe;
}

const NO_SAMPLE =
  'it needs a copy of the payload in the baseline: npx clone-prof baseline --samples (only of what JSON can express, up to 64 kB, nothing transferred)';

export const UNCHANGED: LimitCheck = { outcome: 'passed', actual: 1, change: 1, path: null };

/** Maximum bytes of a kept payload: the baseline is read in code reviews. */
const MAX_BYTES = 64 * 1024;

/** The payload as JSON text; null if it is too large, or if JSON cannot express it. */
async function sampleOf({ recipe, run: { shape }, slot }: GateJob): Promise<string | null> {
  if (!shape?.jsonSafe || (shape.jsonBytes ?? MAX_BYTES + 1) > MAX_BYTES) return null;
  const plain = { ...recipe, via: null };
  return (await slot.ask({ type: 'sample', recipe: plain, mostBytes: MAX_BYTES })).json;
}

/** The payload kept in the baseline, in a file that guests can read, in the same envelope as the current one. */
async function keptSample({ id, source, via }: Recipe, json: string, workdir: string): Promise<Recipe> {
  const file = join(workdir, `${randomUUID()}.json`);
  await writeFile(file, json);
  return { id: `${id} (baseline)`, source, build: { form: 'json', file }, via: via ?? null };
}

/** Facts before and now, for the payloads that are checked now and for payloads that only the commit has. */
export function compared(now: readonly GateJob[], { base, facts, payloads }: Side): Comparison[] {
  const places = new Set(now.map(runKey));
  const gone = payloads.filter((one) => !places.has(runKey(one)));
  const compare = ({ id, key, place, timed }: GateJob, is: BaselineFacts | null): Comparison[] => {
    const was = factsIn(facts, id, key);
    if (is === null && (was === null || !base)) return [];
    return [{ ...place, before: was && told(was), now: is && told(is), ...(timed && { time: timed }) }];
  };
  return [...now.flatMap((one) => compare(one, one.facts)), ...gone.flatMap((one) => compare(one, null))];
}

const told = ({ class: name, path, bytes, nodes, depth }: BaselineFacts): ComparedFacts => ({
  ...{ class: name, path, bytes, nodes, depth },
});

/**
 * Makes the current baseline. A payload that failed keeps its old facts and is reported; a requested payload that is gone
 * is removed.
 */
export async function moveBaseline(
  old: Baseline | null,
  gate: Gate,
  samples: 'plain' | 'masked' | null,
  tools: MeasureTools,
) {
  const guests = new Guests(gate, tools);
  const { config, asked } = gate;
  try {
    const { gathered, failures } = await gather(guests);
    const recorded: RecordedFacts[] = [];
    const demands = demandsNow(config, asked, old?.demands);
    const [demanded, checked] = [demands.payloads, asked].map((all) => new Set(all.map(entryName)));
    const isKept = (id: string, key: string, entry: string) =>
      demanded!.has(entry) &&
      (!checked!.has(entry) ||
        gathered.some((one) => one.id === id && one.key === key) ||
        failures.some(({ payload }) => comesFrom(id, payload)));
    for (const one of gathered) {
      const { facts, entry, run } = one;
      if (facts) recorded.push({ ...recordedOf(one, facts), sample: await provenSample(one, samples, gate) });
      else {
        const { code, message } = run.error ?? { code: 'internal', message: 'no verdict' };
        const said = `on ${entry.runtime}: ${message}`;
        failures.push({ payload: entry.id, file: entry.input, code, message: said });
      }
    }
    const results = gathered.flatMap(({ entry, run }) => checkAbsoluteFacts(entry, run));
    const copied = gathered.flatMap(({ entry, run: { bytes } }) =>
      bytes ? [[entry.input, bytes.copied]] : [],
    );
    const payloads = updatedPayloads(old?.payloads ?? {}, recorded, isKept);
    return {
      ...{ baseline: { schema: BASELINE_SCHEMA, payloads, demands } as const, failures },
      /** Broken limits that do not depend on the baseline. */
      unmet: results.filter(({ outcome, level }) => outcome === 'failed' && level === 'error'),
      copied: new Map(copied as [string, number][]),
    };
  } finally {
    await guests.close();
  }
}

/** A copy may replace its payload only if its facts are equal: JSON keeps no holes, deletions or private fields. */
async function provenSample(
  one: GateJob,
  samples: 'plain' | 'masked' | null,
  { workdir }: Gate,
): Promise<RecordedFacts['sample']> {
  const { recipe, entry } = one;
  if (samples === null || entry.transfer.length > 0) return null;
  const text = await sampleOf(one);
  if (text === null) return null;
  const json = samples === 'masked' ? JSON.stringify(masked(JSON.parse(text))) : text;
  const copy = await keptSample(recipe, json, workdir);
  const again = await describeJob(new Job({ ...one.terms, recipe: copy }), { thorough: true });
  if (JSON.stringify(factsOf(again)) !== JSON.stringify(one.facts)) return null;
  return samples === 'masked' ? { json, masked: true } : { json };
}
