/**
 * Runtimes that need no binary: the guest's own code answers in this process, behind the checks of real guests. A script
 * gives the user's modules, and what only a running engine knows: times, memory, profiles, bytes of messages.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { answerRequests, HANDLERS } from '../../src/guest/guest-and-peer.ts';
import { assertFacts, build, buildPayload } from '../../src/guest/payload/materialize.ts';
import { deferred } from '../../src/machine/waiting.ts';
import type { Profile } from '../../src/model/documents/profile.ts';
import { type ErrorCode, ToolError } from '../../src/model/errors.ts';
import { ENGINE_OF, isJson, type RuntimeName } from '../../src/model/names.ts';
import { orElse } from '../../src/model/or-else.ts';
import type { Recipe } from '../../src/model/report/recipe.ts';
import type { FoundRuntime, RuntimeDriver, StartOptions } from '../../src/model/run/runtime.ts';
import type {
  AnswerTo,
  BranchBytes,
  Described,
  FromGuest,
  GuestRequest,
  Measured,
  MemoryUse,
  NumberedRequest,
  Profiled,
  Proof,
  RequestOf,
  SampleSet,
  Variant,
} from '../../src/model/wire/wire.ts';
import { type Body, ConnectedGuest, type HostLink } from '../../src/runtimes/guests/connected-guest.ts';
import { without } from '../../src/stats/branches/branches.ts';
import { seeded, seedFor } from '../../src/stats/intervals/random.ts';
import { platform } from './guest-platform.ts';

/** Every part has a default: a script names only what its test is about. */
export interface FakeScript {
  /** Exports of modules by recipe id; a function makes one of the text of its file, and of where it is loaded. */
  values?: Readonly<Record<string, unknown>>;
  /** A function if they depend on the request. */
  times?: FakeTimes | ((ask: Extract<GuestRequest, { type: 'measure' }>) => FakeTimes);
  memory?: FakeMemory;
  /** Laid over what is described, by recipe id. */
  described?: Readonly<Record<string, Partial<Described>>>;
  /** Laid over the proof of a remedy, by its name. */
  proofs?: Readonly<Record<string, Partial<Proof>>>;
  /** Laid over the profile of every payload. */
  profile?: Partial<Profile>;
  /** Messages that arrive instead of an answer; null: the answer itself. */
  lies?: (ask: NumberedRequest, answer: object) => unknown[] | null;
  /** Called before each guest starts: what it throws is thrown. */
  starts?: (runtime: FoundRuntime, options: StartOptions) => void;
  /** Called before each answer: an error is thrown instead, and an error that ends a guest ends it. */
  fails?: (ask: GuestRequest, runtime: FoundRuntime) => ToolError | null;
}

export interface FakeDriver extends RuntimeDriver {
  readonly asked: { runtime: string; ask: GuestRequest }[];
  readonly open: number;
}

/** What a module sees of the guest that it is loaded in. */
export interface FakePlace {
  cwd: string;
  /** Its environment is that of another machine. */
  elsewhere: boolean;
}

const FATAL = new Set<ErrorCode>(['guest-timeout', 'guest-exited', 'guest-crashed', 'interrupted']);

/** The clock of tests is scripted; requests to this process must not run into a real one. */
const DEADLINE_MS = 60_000;

/** The request that is being answered, for the loader of modules. */
interface Loading {
  recipes: readonly Recipe[];
  values: NonNullable<FakeScript['values']>;
  place: FakePlace;
}

const loading = new AsyncLocalStorage<Loading>();

function recipesOf(request: GuestRequest): readonly Recipe[] {
  if (request.type === 'exit') return [];
  if (request.type === 'schema') return request.recipes;
  const variants = request.type === 'measure' ? request.variants.flatMap(({ recipe }) => recipe ?? []) : [];
  return [...variants, request.recipe];
}

/** Values of a module by export: all that the script has for a source, or the payload's own. */
function scriptedExports({ id, via, build }: Recipe, values: Loading['values']): [string, unknown][] {
  if (build.form !== 'module') return [];
  const own = via ? id.replace(` via ${via}`, '') : id;
  if (build.export !== '*') return Object.hasOwn(values, own) ? [[build.export, values[own]]] : [];
  const named = Object.entries(values).filter(([key]) => key.startsWith(`${own}#`));
  return named.map(([key, value]) => [key.slice(own.length + 1), value]);
}

/** As factories: each call makes a new value. Null if the script says nothing of the module. */
function scriptedModule(file: string): object | null {
  const { recipes, values, place } = loading.getStore()!;
  const here = recipes.filter(({ build }) => build.form === 'module' && build.file === file);
  const exports = here.flatMap((recipe) => scriptedExports(recipe, values));
  if (exports.length === 0) return null;
  // A value that cannot be cloned is made as it is.
  const make = (value: unknown) => () =>
    typeof value === 'function'
      ? value(readFileSync(file, 'utf8'), place)
      : orElse(() => structuredClone(value), value);
  return Object.fromEntries(exports.map(([name, value]) => [name, make(value)]));
}

const { sources } = platform;
const { importModule, importAgain } = sources;
Object.assign(sources, {
  async importModule(module) {
    if (!loading.getStore()) return importModule(module);
    const exports = scriptedModule(module.file);
    // The file may have changed since an earlier guest loaded it.
    return exports ? { exports, kind: 'esm' } : importAgain(module, 'esm');
  },
} satisfies Partial<typeof sources>);

/** What is not asked of the engine that runs the tests comes from the script; the rest is the guest's own. */
function handlersOf({ engine }: FoundRuntime, script: FakeScript): typeof HANDLERS {
  return {
    ...HANDLERS,
    async describe(request, onStage) {
      const assumed = { ...request, assume: engine, confirm: false };
      const described = await HANDLERS.describe(assumed, onStage);
      const message = [{ path: 'serializer' as const, bytes: described.shape.jsonBytes ?? 0 }];
      return { ...described, message, ...script.described?.[request.recipe.id] };
    },
    async prove(request, onStage) {
      // Other channels deliver to a process or a page.
      const channel = request.channel && isJson(request.channel) ? request.channel : 'worker';
      return {
        ...(await HANDLERS.prove({ ...request, channel }, onStage)),
        ...script.proofs?.[request.remedy],
      };
    },
    losses: async () => ({ type: 'losses-found', refused: null, losses: null, transfer: null }),
    measure: (request) => {
      const { times = {} } = script;
      return scriptedSamples(request, typeof times === 'function' ? times(request) : times);
    },
    memory: async (request) => scriptedMemory(request, script.memory ?? {}),
    profile: async (request) => scriptedProfile(request, script.profile),
    'branch-bytes': jsonBranchBytes,
  };
}

interface Scene {
  runtime: FoundRuntime;
  script: FakeScript;
  place: FakePlace;
}

const sent = <T>(message: T): T => JSON.parse(JSON.stringify(message)) as T;

/** The host's end of a link to the guest in this process. */
function linkTo({ runtime, script, place }: Scene, closed: Promise<null>, exit: () => void): HostLink {
  const open = new Map<number, NumberedRequest>();
  const receive = (message: FromGuest): void => {
    const honest = sent(message);
    const lies =
      message.type === 'progress' || message.type === 'hello'
        ? null
        : script.lies?.(open.get(message.id)!, honest);
    for (const one of lies ?? [honest]) link.onMessage(one);
  };
  const ends = { closed, close: () => undefined };
  const guest: Parameters<typeof answerRequests>[0] = { ...ends, send: receive, onMessage: () => undefined };
  answerRequests(guest, exit, handlersOf(runtime, script));
  const link: HostLink = {
    ...{ ...ends, mostBytes: 0, onMessage: () => undefined },
    send: (request) => {
      open.set(request.id, request);
      // Only a page has a worker that answers in its place.
      const { sender: _, ...received } = sent(request);
      const context = { recipes: recipesOf(request), values: script.values ?? {}, place };
      loading.run(context, () => guest.onMessage(received as NumberedRequest));
    },
  };
  return link;
}

/** Logs what is asked, and fails as the script says. */
class FakeGuest extends ConnectedGuest {
  readonly #before: (ask: GuestRequest) => ToolError | null;

  constructor(scene: Scene, before: (ask: GuestRequest) => ToolError | null, onEnd: () => void) {
    const { name, version, engine } = scene.runtime;
    const { promise: ended, resolve: end } = deferred<ToolError>();
    const kill = () => end(new ToolError('guest-exited', { detail: 'exit code 0' }));
    const closed = ended.then(() => null);
    void ended.then(onEnd);
    const body: Body = { kill, ended, excerpt: () => '' };
    const hello = { type: 'hello', token: '', runtime: { name, version, engine } } as const;
    super(hello, linkTo(scene, closed, kill), body, { timeoutMs: DEADLINE_MS, asksToExit: false });
    this.#before = before;
  }

  override async ask<R extends GuestRequest>(ask: R): Promise<AnswerTo<R['type']>> {
    if (this.dead) throw new ToolError('guest-exited', { detail: 'exit code 0' });
    const failure = this.#before(ask);
    if (failure && FATAL.has(failure.code)) this.stop(failure);
    if (failure) throw failure;
    return super.ask(ask);
  }
}

/** A runtime of this name and version that needs no binary. */
export function fakeRuntime(name: RuntimeName, version: string): FoundRuntime {
  return { name, version, engine: ENGINE_OF[name], spec: `${name}@${version}`, binary: '', from: 'fake' };
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
      const before = (ask: GuestRequest) => {
        asked.push({ runtime: runtime.spec, ask });
        return script.fails?.(ask, runtime) ?? null;
      };
      open++;
      return new FakeGuest({ runtime, script, place }, before, () => open--);
    },
  };
}

// What a script gives in place of measuring: times, memory, profiles, bytes.

/** ns of one message. */
export interface FakeTime {
  /** NaN: the slice ended before its turn. */
  roundTrip: number;
  /** A quarter of the round trip by default. */
  send?: number;
  receive?: number;
  error?: string;
}

export interface FakeTimes {
  /** By variant id, by "<remedy>/<mode>", by remedy, or by mode; the first of these that is there. */
  of?: Readonly<Record<string, FakeTime>>;
  /** Each sample is within this fraction of its time: 0.02 is +-2 %. Default 0. */
  jitter?: number;
  /** Default: what `minRounds` and `maxRounds` of the request allow, 40 at most. */
  rounds?: number;
}

const DEFAULT: Record<Variant['mode'], FakeTime> = {
  floor: { roundTrip: 10_000, send: 1_000, receive: 1_000 },
  original: { roundTrip: 100_000 },
  'in-place': { roundTrip: 100_000 },
  'with-conversion': { roundTrip: 100_000 },
  without: { roundTrip: 60_000 },
  'other-channel': { roundTrip: 100_000 },
  'after-receiving': { roundTrip: 100_000 },
};
const MAX_ROUNDS = 40;

function timeOf({ id, remedy, mode }: Variant, times: FakeTimes): FakeTime {
  const names = [id, `${remedy}/${mode}`, remedy ?? mode, mode];
  const name = names.find((n) => times.of && Object.hasOwn(times.of, n));
  return name === undefined ? DEFAULT[mode] : times.of![name]!;
}

function samples(time: number, count: number, jitter: number, random: () => number): number[] {
  return Array.from({ length: count }, () => Math.round(time * (1 + jitter * (2 * random() - 1))));
}

function sampleSet(variant: Variant, rounds: number, random: () => number, times: FakeTimes): SampleSet {
  const time = timeOf(variant, times);
  const part = time.roundTrip / 4;
  const taken = (ns: number) =>
    time.error === undefined && !Number.isNaN(ns) ? samples(ns, rounds, times.jitter ?? 0, random) : [];
  return {
    variant: variant.id,
    roundTrip: taken(time.roundTrip),
    send: taken(time.send ?? part),
    receive: taken(time.receive ?? part),
    cold: variant.mode === 'original' ? time.roundTrip * 10 : null,
    error: time.error ?? null,
  };
}

/** Samples out of a table of times and the request's own seed: the same request gives the same samples. */
async function scriptedSamples(request: RequestOf<'measure'>, times: FakeTimes): Promise<Measured> {
  for (const { recipe = request.recipe } of request.variants) {
    if (recipe.facts) await assertFacts(recipe, (await build(recipe)).value);
  }
  const { minRounds, maxRounds, seed } = request;
  const rounds = times.rounds ?? Math.max(minRounds, Math.min(maxRounds, MAX_ROUNDS));
  const sets = request.variants.map((one, i) => sampleSet(one, rounds, seeded(seedFor(seed, i)), times));
  return { type: 'measured', sets, rounds, gc: null };
}

/** Bytes of a message in flight: by remedy, or 'original'. */
export type FakeMemory = Readonly<Record<string, number>>;

const USUAL_BYTES = 10_000;
const BASELINE_BYTES = 50e6;

function scriptedMemory({ variant, messages }: RequestOf<'memory'>, memory: FakeMemory): MemoryUse {
  const perMessage = memory[variant.remedy ?? variant.mode] ?? USUAL_BYTES;
  const bytes = perMessage * messages;
  return { type: 'memory-use', bytes, perMessage, messages, baselineBytes: BASELINE_BYTES };
}

/** Names the files of a real profile and writes none. */
function scriptedProfile({ name }: RequestOf<'profile'>, laidOver: Partial<Profile> = {}): Profiled {
  const files = ['sender', 'receiver'].flatMap((side) => [
    `${name}.${side}.cpuprofile`,
    `${name}.${side}.heapprofile`,
  ]);
  const profile: Profile = {
    by: 'inspector',
    files,
    messages: 1000,
    shares: { clone: 0.75, gc: 0.05, user: 0.125, other: 0.075 },
    top: [
      { side: 'sender', name: 'postMessage', where: null, work: 'clone', ns: 30_000, share: 0.5 },
      { side: 'receiver', name: '(program)', where: null, work: 'clone', ns: 15_000, share: 0.25 },
      { side: 'sender', name: 'get total', where: 'cart.mjs:12:5', work: 'user', ns: 7_500, share: 0.125 },
    ],
    missing: [],
    ...laidOver,
  };
  return { type: 'profiled', profile };
}

/** Bytes of JSON text: no engine that the script names is there to serialize. */
async function jsonBranchBytes({ recipe, paths }: RequestOf<'branch-bytes'>): Promise<BranchBytes> {
  const { value } = await buildPayload(recipe);
  const bytesOf = (part: unknown) => new TextEncoder().encode(JSON.stringify(part)).byteLength;
  const parts = paths.map((path) => bytesOf(without(value, path)));
  return { type: 'branch-bytes', whole: bytesOf(value), without: parts };
}
