/** Answers requests to measure: times, a profile, and the memory of messages in flight. */
import type { HotSpot, Profile } from '../../model/documents/profile.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, channelRow, isLocal } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { AnswerTo, Measured, RequestOf, SampleSet, Stage, Variant } from '../../model/wire/wire.ts';
import { seedFor } from '../../stats/intervals/random.ts';
import { FLOOR, ORIGINAL } from '../../stats/intervals/variant-samples.ts';
import { summaryOf } from '../../stats/profile/summary.ts';
import { filter, map } from '../../value/read/lists.ts';
import { withLocal } from '../channel/channel.ts';
import { measureStep, now } from '../platform/common/clock.ts';
import {
  currentPlatform,
  type LocalChannel,
  nextMessage,
  noop,
  type Outlet,
  type Pauses,
} from '../platform/common/platform.ts';
import { firstVariant, interleave, Schedule, type StopWhen, type TimedLoop } from './interleave.ts';
import { localLoop, oneWayLoop, RoundTripLoop } from './loops.ts';
import {
  failureIn,
  hasSharedMemory,
  type MeasureSpec,
  NO_PROFILE,
  type PeerSession,
  prepareBothSides,
  RETAIN,
  type SideProfile,
  startProfile,
  withPeer,
} from './peer-session.ts';
import {
  MessageFactory,
  type PreparedVariant,
  prepareVariants,
  usableVariants,
  ValueSource,
} from './variants.ts';

type MeasureRequest = RequestOf<'measure'>;

/** Every sample is one message, in ns; none is dropped. @throws ToolError as `withPeer`, and what building the payload throws */
export async function measure(
  request: MeasureRequest,
  onStage: (stage: Stage) => Promise<void> = async () => undefined,
): Promise<Measured> {
  if (isLocal(request.channel)) {
    return withLocal(request.channel, async (channel) => {
      const variants = await prepareVariants(request.variants, request.recipe, channel.transfers, 'alone');
      const loop = localLoop(channel, variants, planRoundTrips(variants, request));
      return timed(request, variants, loop, null, async () => null);
    });
  }
  await onStage('peer');
  return withPeer(onOneChannel(request, request.channel), (session) =>
    withOtherPeer(request, async (other) => {
      const { variants, answers, clock } = await prepareBothSides(session, request, other);
      await onStage('measure');
      const sessionOf = (index: number) =>
        other !== null && isApart(request.variants[index]!) ? other : session;
      const roundTrips = new RoundTripLoop(sessionOf, variants, planRoundTrips(variants, request), clock);
      const schedule = planOneWay(variants, request);
      const oneWay = session.shared && schedule && oneWayLoop(session, session.shared, variants, schedule);
      const peerGc = async () => (await session.finish()).gc;
      const measured = await timed(request, variants, roundTrips, oneWay, peerGc);
      clock?.close();
      const { waited } = roundTrips;
      return { ...measured, ...(waited !== null && { waited }), ...(answers && { answers }) };
    }),
  );
}

const isApart = ({ mode }: Variant): boolean => mode === 'other-channel';

function withOtherPeer<T>(
  request: MeasureRequest,
  work: (other: PeerSession | null) => Promise<T>,
): Promise<T> {
  const { channel } = request.variants.find(isApart) ?? {};
  return channel === undefined ? work(null) : withPeer(onOneChannel(request, channel), work);
}

/** Request to the peer of one channel. Variants of other channels become empty messages, which keeps the indices. */
function onOneChannel(request: MeasureRequest, channel: Channel): MeasureSpec {
  const variants = map(request.variants, (one) =>
    (one.channel ?? request.channel) === channel ? one : { ...FLOOR, id: one.id },
  );
  return { ...request, channel, variants };
}

async function timed(
  request: MeasureRequest,
  variants: readonly PreparedVariant[],
  loop: TimedLoop,
  oneWay: TimedLoop | null,
  peerGc: () => Promise<Pauses | null>,
): Promise<Measured> {
  const watch = currentPlatform().watchGc?.() ?? null;
  const began = now();
  const rounds = await interleave(request, variants, loop, oneWay);
  const elapsed = now() - began;
  const theirs = await peerGc();
  const gc = sumPauses([watch?.stop() ?? null, theirs], elapsed);
  return { type: 'measured', sets: toSampleSets(request.variants, variants), rounds, gc, ...pageClock() };
}

function planRoundTrips(variants: readonly PreparedVariant[], request: MeasureRequest): Schedule {
  const modes = map(request.variants, ({ mode }) => mode);
  const { seed, originalTurns = 1 } = request;
  const repeated = { index: modes.indexOf('original'), turns: originalTurns };
  return new Schedule(usableVariants(variants), seedFor(seed, 0), firstVariant(modes, seed), repeated);
}

function planOneWay(variants: readonly PreparedVariant[], request: MeasureRequest): Schedule | null {
  const { oneWay } = request;
  const timed = filter(
    usableVariants(variants),
    (index) => oneWay === undefined || oneWay.includes(request.variants[index]!.id),
  );
  return timed.length === 0 ? null : new Schedule(timed, seedFor(request.seed, 1));
}

/** Clock and memory of a page; empty if the clock is fine and memory is shared, as in most processes. */
function pageClock(): Pick<Measured, 'page'> {
  const clockStepNs = measureStep();
  const sharesMemory = hasSharedMemory() || currentPlatform().isSender === true;
  return clockStepNs === 0 && sharesMemory ? {} : { page: { clockStepNs, sharesMemory } };
}

/** No clock here has a finer resolution. */
const inWholeNs = (times: readonly number[]): number[] => map(times, Math.round);

function toSampleSets(variants: readonly Variant[], prepared: readonly PreparedVariant[]): SampleSet[] {
  return map(prepared, ({ samples }, index) => ({
    variant: variants[index]!.id,
    roundTrip: inWholeNs(samples.roundTrip),
    send: inWholeNs(samples.send),
    receive: inWholeNs(samples.receive),
    written: inWholeNs(samples.written),
    result: inWholeNs(samples.result),
    onCore: inWholeNs(samples.onCore),
    cold: samples.cold,
    error: samples.error,
    messages: samples.trips.messages,
  }));
}

/** Pauses of both sides. In a round trip only one side works at a time, so a pause of either side delays it. */
function sumPauses(sides: readonly (Pauses | null)[], elapsed: number): Measured['gc'] {
  const known = filter(sides, (side) => side !== null);
  if (known.length === 0) return null;
  const count = known.reduce((sum, side) => sum + side.count, 0);
  const ns = known.reduce((sum, side) => sum + side.ns, 0);
  return { count, share: elapsed > 0 ? Math.min(1, ns / elapsed) : 0 };
}

const WARMUP_MS = 100;

/** Each thread runs its own profiler. @throws ToolError of measuring, 'profiler-missing' on pages, 'output-unwritable' */
export async function profile(request: RequestOf<'profile'>): Promise<AnswerTo<'profile'>> {
  const { recipe, channel } = request;
  if (currentPlatform().startProfiler === undefined) throw new ToolError('profiler-missing');
  if (isLocal(channel)) {
    return withLocal(channel, async (local) => {
      const variants = await prepareVariants([ORIGINAL], recipe, local.transfers, 'alone');
      const loop = localLoop(local, variants, new Schedule(usableVariants(variants), 0));
      return profiled(request, loop, variants, async () => NO_PROFILE);
    });
  }
  const spec = { ...request, variants: [ORIGINAL], profile: request };
  return withPeer(spec, async (session) => {
    const { variants } = await prepareBothSides(session, spec);
    const loop = new RoundTripLoop(() => session, variants, new Schedule(usableVariants(variants), 0));
    return profiled(request, loop, variants, async () => (await session.finish()).profile ?? NO_PROFILE);
  });
}

async function profiled(
  request: RequestOf<'profile'>,
  loop: TimedLoop,
  [original]: readonly PreparedVariant[],
  endReceiver: () => Promise<SideProfile>,
): Promise<AnswerTo<'profile'>> {
  await loop.run(after(WARMUP_MS));
  const warmupRounds = loop.schedule.rounds;
  const endProfile = await startProfile('sender', request);
  await loop.run(after(request.ms));
  const sender = await endProfile();
  const error = original?.samples.error ?? null;
  if (error !== null) throw new Error(error);
  const receiver = await endReceiver();
  const messages = loop.schedule.rounds - warmupRounds;
  const summary = summaryOf({ sender: sender.spent, receiver: receiver.spent }, messages);
  const both: Profile = {
    by: sender.by ?? receiver.by,
    files: [...sender.files, ...receiver.files],
    messages,
    shares: summary?.shares ?? null,
    top: map(summary?.top ?? [], (spot) => withSourceLocation(spot, request.recipe)),
    missing: [...sender.missing, ...receiver.missing],
  };
  return { type: 'profiled', profile: both };
}

function after(ms: number): StopWhen {
  const end = now() + ms * 1e6;
  return (at) => at >= end;
}

/** Adds the location in the user's own file, relative to the user's folder, also when a bundle of it ran. */
function withSourceLocation(spot: HotSpot, { build }: Recipe): HotSpot {
  if (spot.work !== 'user' || spot.where === null) return spot;
  const { sources } = currentPlatform();
  const module = build.form === 'module' ? { file: build.file, name: build.original } : null;
  const location = module && sources.stackLocation(spot.where, module);
  if (location === null) return { ...spot, where: withoutUrl(spot.where) };
  const file = location.file ?? sources.shownPath(module!.name);
  return { ...spot, where: `${file}:${location.line}:${location.column}` };
}

const FILE_URL = /^(file:.*?)(?:\?[^:]*)?((?::\d+)*)$/;

function withoutUrl(where: string): string {
  const [, url, position = ''] = FILE_URL.exec(where) ?? [];
  return url === undefined ? where : currentPlatform().sources.shownPath(url) + position;
}

// Memory of messages in flight.

/**
 * Posted before the watch begins. An allocator that has freed a block of this size takes the next ones from its own
 * heap and keeps them (glibc's M_MMAP_THRESHOLD moves), as in every program that has run for a while. Few large
 * messages get no warm-up: memory that it leaves resident would then be missing from the result.
 */
const WARMUP_MESSAGES = 2;
const MANY_MESSAGES = 8;
/** Longest time to build values that are transferred, which must exist before the watch begins. */
const BUILD_NS = 150e6;

/** Messages with their factories: one factory for all, or one factory each if a message consumes its value. */
interface MessageSupply {
  factories: readonly MessageFactory[];
  messages: number;
  empty: boolean;
}

interface Flight {
  readonly transfers: boolean;
  /** Resolves when all messages are received and retained. `onQueued`: all are posted and none is received yet. */
  run(supply: MessageSupply, postAll: (outlet: Outlet) => Promise<void>, onQueued: () => void): Promise<void>;
}

/**
 * Memory that messages in flight add to this process, both threads together. They wait unread in the queue of a blocked
 * receiver; then it receives and retains them all. The result is the peak of wire and received values together; posted
 * and transferred values existed before and do not count. The peak of the same run with empty messages, just before in
 * the same process, is subtracted.
 * @throws ToolError 'measure-failed' when a message cannot be received, 'channel-unsupported' between processes, and
 * what building or sending the payload throws
 */
export async function measureMemory(request: RequestOf<'memory'>): Promise<AnswerTo<'memory'>> {
  const { channel, variant } = request;
  if (isLocal(channel)) return withLocal(channel, (local) => memoryOf(request, localFlight(local)));
  requireOneProcess(channel);
  const spec = { ...request, variants: [FLOOR, variant], retains: true };
  return withPeer(spec, async (session) => {
    const { failed, failures } = await session.handshake();
    requireReceived(failed ?? failures[0]?.[1] ?? null);
    return memoryOf(request, flightTo(session));
  });
}

/** A frame runs in the thread of its page, and needs no memory that both share. */
function requireOneProcess(channel: Channel): void {
  const { elsewhere, toThread } = channelRow(channel);
  if (elsewhere) {
    const detail = 'memory cannot be attributed between processes';
    throw new ToolError('channel-unsupported', { value: channel, detail });
  }
  const detail = 'this page is not isolated, so that its threads share no memory';
  if (toThread && !hasSharedMemory()) throw new ToolError('measure-failed', { detail });
}

function requireReceived(failure: string | null): void {
  if (failure !== null) throw new ToolError('measure-failed', { detail: failure });
}

const flightTo = ({ peer, endpoint, instructions, shared, token }: PeerSession): Flight => ({
  transfers: endpoint.transfers,
  async run({ messages, empty }, postAll, onQueued) {
    const received = nextMessage(endpoint, noop);
    shared?.reset();
    instructions.messages = messages;
    instructions.post(endpoint, RETAIN, empty ? 0 : 1);
    while (shared?.awaitReady() === false && !peer.over) await currentPlatform().turnOfEventLoop();
    let posted = false;
    try {
      await postAll(endpoint);
      posted = true;
    } finally {
      shared?.reportPosted(posted);
    }
    onQueued();
    requireReceived(failureIn(token, await received));
  },
});

/** Flight over a channel that does not have a queue: values that are read are retained here. */
function localFlight(local: LocalChannel): Flight {
  let retained: unknown[] = [];
  return {
    transfers: local.transfers,
    async run({ factories }, postAll, onQueued) {
      const factory = factories[0]!;
      const endpoint = local.endpoint(factory.content);
      retained = [];
      await postAll({
        post(message, transfer) {
          endpoint.post(message, transfer);
          retained.push(factory.restore(endpoint.received));
        },
      });
      onQueued();
    },
  };
}

async function memoryOf(
  { recipe, variant, messages: asked }: RequestOf<'memory'>,
  flight: Flight,
): Promise<AnswerTo<'memory'>> {
  const source = new ValueSource(recipe, 'alone');
  const factoryFor = async (one: Variant): Promise<MessageFactory> => {
    const factory = new MessageFactory(one, source);
    await factory.prepare(flight.transfers);
    return factory;
  };
  const supplyOf = async (most: number): Promise<MessageSupply> => {
    const first = await factoryFor(variant);
    const factories = [first];
    if (!first.consumesValue) return { factories, messages: most, empty: false };
    for (const began = now(); factories.length < most && now() - began < BUILD_NS; )
      factories.push(await factoryFor(variant));
    return { factories, messages: factories.length, empty: false };
  };
  const floor = { factories: [await factoryFor(FLOOR)], empty: true };
  await measurePeak(flight, { ...floor, messages: asked });
  if (asked >= MANY_MESSAGES) await measurePeak(flight, await supplyOf(WARMUP_MESSAGES));
  const supply = await supplyOf(asked);
  const { messages } = supply;
  const baselineBytes = await measurePeak(flight, { ...floor, messages });
  const bytes = Math.max(0, (await measurePeak(flight, supply)) - baselineBytes);
  return { type: 'memory-use', bytes, perMessage: bytes / messages, messages, baselineBytes };
}

async function measurePeak(flight: Flight, supply: MessageSupply): Promise<number> {
  const platform = currentPlatform();
  platform.collectGarbage();
  let peak = await platform.markPeakMemory!();
  await flight.run(
    supply,
    async (outlet) => {
      const { factories, messages } = supply;
      // The receiver has released the messages of the run before.
      peak = await platform.markPeakMemory!();
      for (let at = 0; at < messages; at++) factories[at % factories.length]!.post(outlet);
    },
    () => peak.sample(),
  );
  return peak.bytes();
}
