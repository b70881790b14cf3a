import { isDeepStrictEqual } from 'node:util';
import { assumedStorage } from '../../../src/core/describe/assumed-storage.ts';
import { describe } from '../../../src/core/describe/describe.ts';
import type { Probe } from '../../../src/core/describe/inspect/probe.ts';
import { otherThan, valueFacts } from '../../../src/core/gate/value-facts.ts';
import { findDimensions } from '../../../src/core/sweep/dimensions.ts';
import { openLines } from '../../../src/guest/payload/lines/ndjson.ts';
import type { Profile } from '../../../src/model/documents/profile.ts';
import type { Shape } from '../../../src/model/documents/shape.ts';
import { type ErrorCode, ToolError } from '../../../src/model/errors.ts';
import { ENGINE_OF, type EngineName, type RuntimeName } from '../../../src/model/names.ts';
import type { Recipe } from '../../../src/model/report/recipe.ts';
import type { FoundRuntime, Guest, RuntimeDriver, StartOptions } from '../../../src/model/run/runtime.ts';
import type {
  AnswerTo,
  Described,
  DescribeRequest,
  GuestRequest,
  Hello,
  NumberedRequest,
  Opened,
  Proof,
  Proved,
} from '../../../src/model/wire/wire.ts';
import { lyingGuest } from './lying-guest.ts';
import { type FakeMemory, fakeOccupied } from './memory.ts';
import { type FakePlace, fakePayload } from './payload.ts';
import { fakeBranchBytes, fakeProfiled } from './profile-and-branches.ts';
import { fakeSchema } from './schema.ts';
import { type FakeTimes, fakeMeasured } from './times.ts';

/** What a fake runtime does. Everything has a default: a script names only what its test is about. */
export interface FakeScript {
  /** Values of payloads by recipe id, for files that are not JSON; a function makes one of the text of its file, and of where it is loaded. */
  values?: Readonly<Record<string, unknown>>;
  /** A function where they depend on the size that is asked for. */
  times?: FakeTimes | ((ask: Extract<GuestRequest, { type: 'measure' }>) => FakeTimes);
  memory?: FakeMemory;
  /** Laid over what was described, by recipe id. */
  described?: Readonly<Record<string, Partial<Described>>>;
  /** What comes of proving a remedy, by name; equal by default. */
  proofs?: Readonly<Record<string, Partial<Proof>>>;
  /** Laid over the profile of every payload. */
  profile?: Partial<Profile>;
  /** Messages that arrive instead of an answer, through the checks of real guests; null: the answer itself. */
  lies?: (ask: NumberedRequest, answer: object) => unknown[] | null;
  /** Called before each guest starts: what it throws is thrown. */
  starts?: (runtime: FoundRuntime, options: StartOptions) => void;
  /** Asked before each answer: an error is thrown instead, and one of a guest's end ends the guest. */
  fails?: (ask: GuestRequest, runtime: FoundRuntime) => ToolError | null;
}

export interface FakeDriver extends RuntimeDriver {
  /** All that was asked, in order. */
  readonly asked: { runtime: string; ask: GuestRequest }[];
  /** How many guests are open. */
  readonly open: number;
}

const FATAL = new Set<ErrorCode>(['guest-timeout', 'guest-exited', 'guest-crashed', 'interrupted']);

const encoder = new TextEncoder();

/** JSON values only: there is nothing behind them that an engine would have to be asked about. */
function jsonProbe(engine: EngineName): Probe {
  return {
    types: {
      isProxy: () => false,
      of: (value) => ({ kind: Array.isArray(value) ? 'array' : 'object' }),
      isNodeBuffer: () => false,
      poolBytes: 0,
    },
    storage: assumedStorage(engine, true),
    utf8Bytes: (text) => encoder.encode(text).byteLength,
  };
}

function opened(ask: Extract<GuestRequest, { type: 'open' }>, script: FakeScript): Opened | Promise<Opened> {
  const { recipe, exports: wanted } = ask;
  const { build } = recipe;
  // What a line is called is the guest's own business.
  if (build.form === 'ndjson') return openLines(recipe, build.file, ask.worst ?? false);
  if (build.form !== 'module') return { type: 'opened', payloads: [recipe], notes: [] };
  const prefix = `${recipe.id}#`;
  const all = Object.keys(script.values ?? {}).filter((id) => id.startsWith(prefix));
  const names = all.map((id) => id.slice(prefix.length));
  const file = build.original;
  const absent = wanted?.find((name) => !names.includes(name));
  if (absent !== undefined) throw new ToolError('export-missing', { file, export: absent, names });
  if (names.length === 0) throw new ToolError('no-exports', { file });
  const payloads = (wanted ?? names).map((name) => ({
    ...recipe,
    id: prefix + name,
    source: { ...recipe.source, export: name },
    build: { ...build, export: name },
  }));
  return { type: 'opened', payloads, notes: [] };
}

function shapeOf(value: unknown, { build }: Recipe, engine: EngineName): Shape {
  return describe(value, jsonProbe(engine), { fromJson: build.form !== 'module', jsonBytes: true });
}

/** What varies by calls does so in the value of the script. */
function fakeVaries(
  { recipe, calls }: DescribeRequest,
  first: { value: unknown; shape: Shape },
  engine: EngineName,
  make: () => unknown,
): Pick<Described, 'varies'> {
  if (calls === undefined) return {};
  const facts = valueFacts(first.shape);
  const others = Array.from({ length: calls }, make).filter((one) => !isDeepStrictEqual(one, first.value));
  const found = others.map((one) => otherThan(facts, valueFacts(shapeOf(one, recipe, engine))));
  return { varies: found.find((one) => one !== null) ?? null };
}

/** As real guests do before they time. */
function assertFacts(recipe: Recipe, engine: EngineName, script: FakeScript, place: FakePlace): void {
  const { facts } = recipe;
  const make = () => fakePayload(recipe, script.values ?? {}, place);
  const other = facts && otherThan(facts, valueFacts(shapeOf(make(), recipe, engine)));
  if (other) throw new ToolError('measure-failed', { detail: `another value (${other})` });
}

function described(
  ask: DescribeRequest,
  engine: EngineName,
  script: FakeScript,
  place: FakePlace,
): Described {
  const { recipe } = ask;
  const make = () => fakePayload(recipe, script.values ?? {}, place);
  const value = make();
  const shape = shapeOf(value, recipe, engine);
  const bytes = shape.jsonBytes ?? 0;
  const plain = {
    confirmation: null,
    message: [{ path: 'serializer' as const, bytes }],
    rejected: null,
    losses: null,
    transfer: null,
  };
  const varies = fakeVaries(ask, { value, shape }, engine, make);
  return { type: 'described', shape, ...plain, ...varies, ...script.described?.[recipe.id] };
}

function proved(ask: Extract<GuestRequest, { type: 'prove' }>, script: FakeScript): Proved {
  const proofs = ask.plans.map(({ remedy, plan }): Proof => {
    return { remedy, plan, equality: 'equal', losses: [], reason: null, ...script.proofs?.[remedy] };
  });
  return { type: 'proved', proofs };
}

function timesOf(ask: Extract<GuestRequest, { type: 'measure' }>, { times = {} }: FakeScript): FakeTimes {
  return typeof times === 'function' ? times(ask) : times;
}

function answer(ask: GuestRequest, runtime: FoundRuntime, script: FakeScript, place: FakePlace) {
  switch (ask.type) {
    case 'open':
      return opened(ask, script);
    case 'describe':
      return described(ask, runtime.engine, script, place);
    case 'prove':
      return proved(ask, script);
    case 'schema':
      return fakeSchema(ask, script.values ?? {});
    case 'losses':
      return { type: 'losses-found' as const, refused: null, losses: null, transfer: null };
    case 'measure':
      for (const { recipe = ask.recipe } of ask.variants) assertFacts(recipe, runtime.engine, script, place);
      return fakeMeasured(ask, timesOf(ask, script));
    case 'dimensions':
      return {
        type: 'dimensions' as const,
        found: findDimensions(
          fakePayload({ ...ask.recipe, via: null, scale: null }, script.values ?? {}),
          () => false,
        ),
      };
    case 'sample':
      return { type: 'sample' as const, json: JSON.stringify(fakePayload(ask.recipe, script.values ?? {})) };
    case 'profile':
      return fakeProfiled(ask, script.profile);
    case 'branch-bytes':
      return fakeBranchBytes(ask.paths, fakePayload(ask.recipe, script.values ?? {}));
    case 'memory':
      return fakeOccupied(ask, script.memory ?? {});
    case 'exit':
      throw new ToolError('guest-exited', { detail: 'exit code 0' });
    default:
      return ask satisfies never;
  }
}

class FakeGuest implements Guest {
  readonly hello: Hello;
  dead = false;
  readonly #runtime: FoundRuntime;
  readonly #script: FakeScript;
  readonly #place: FakePlace;
  readonly #log: { asked: FakeDriver['asked']; ended: () => void };

  constructor(
    runtime: FoundRuntime,
    script: FakeScript,
    place: FakePlace,
    log: { asked: FakeDriver['asked']; ended: () => void },
  ) {
    const { name, version, engine } = runtime;
    this.hello = { type: 'hello', token: '', runtime: { name, version, engine } };
    this.#runtime = runtime;
    this.#script = script;
    this.#place = place;
    this.#log = log;
  }

  async ask<R extends GuestRequest>(ask: R): Promise<AnswerTo<R['type']>> {
    if (this.dead) throw new ToolError('guest-exited', { detail: 'exit code 0' });
    this.#log.asked.push({ runtime: this.#runtime.spec, ask });
    const failure = this.#script.fails?.(ask, this.#runtime) ?? null;
    if (failure && FATAL.has(failure.code)) this.#end();
    if (failure) throw failure;
    return answer(ask, this.#runtime, this.#script, this.#place) as unknown as AnswerTo<R['type']>;
  }

  async close(): Promise<void> {
    this.#end();
  }

  #end(): void {
    if (!this.dead) this.#log.ended();
    this.dead = true;
  }
}

/** A runtime of this name and version that needs no binary. */
export function fakeRuntime(name: RuntimeName, version: string): FoundRuntime {
  return { name, version, engine: ENGINE_OF[name], spec: `${name}@${version}`, binary: '', from: 'fake' };
}

/** What would travel as JSON. */
const sent = (message: object): object => JSON.parse(JSON.stringify(message)) as object;

function lying(runtime: FoundRuntime, script: FakeScript, place: FakePlace): Guest {
  const { name, version, engine } = runtime;
  return lyingGuest({ type: 'hello', token: '', runtime: { name, version, engine } }, (ask) => {
    const honest = sent({ ...answer(ask, runtime, script, place), id: ask.id });
    return script.lies?.(ask, honest) ?? [honest];
  });
}

/** In the slot of real runtimes: answers in memory, exactly, the same each time. */
export function fakeDriver(script: FakeScript = {}): FakeDriver {
  const asked: FakeDriver['asked'] = [];
  let open = 0;
  return {
    asked,
    get open() {
      return open;
    },
    async start(runtime: FoundRuntime, options: StartOptions) {
      if (options.signal?.aborted) throw new ToolError('interrupted');
      script.starts?.(runtime, options);
      const place = { cwd: options.cwd, elsewhere: options.elsewhere ?? false };
      if (script.lies) return lying(runtime, script, place);
      open++;
      return new FakeGuest(runtime, script, place, { asked, ended: () => open-- });
    },
  };
}
