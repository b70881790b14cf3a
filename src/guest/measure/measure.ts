import type { HotSpot, Profile } from '../../model/documents/profile.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, isLocal } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Measured, Profiled, RequestOf, SampleSet, Stage, Variant } from '../../model/wire/wire.ts';
import { seedFor } from '../../stats/intervals/random.ts';
import { FLOOR, ORIGINAL } from '../../stats/intervals/variant-samples.ts';
import { summaryOf } from '../../stats/profile/summary.ts';
import { filter, map } from '../../value/read/lists.ts';
import { withLocal } from '../channel/channel.ts';
import { measureStep, now } from '../platform/common/clock.ts';
import { currentPlatform, type Endpoint, nextMessage, type Pauses } from '../platform/common/platform.ts';
import * as turns from './interleave.ts';
import * as peers from './peer-session.ts';
import { localLoop, RoundTripLoop } from './round-trips.ts';
import type { MessageFactory } from './variants.ts';
import { type PreparedVariant, prepareVariants, usableVariants } from './variants.ts';

/**
 * Times send and receive apart. When a message event fires, the receiver has already deserialized (Node, Deno).
 * Therefore the peer gets a notice that a message will come, waits on shared memory until it is queued, and times
 * receiving it on its own clock: a duration, so that two clocks need not agree. The send is timed while the peer waits
 * there: a peer that the message wakes is often scheduled on the sender's core, and `postMessage` then seems to last as
 * long as the peer's whole work (seen on two busy cores: 40 µs or 155 µs for the same 256 rows). With a coarse clock it
 * is a burst of messages, which the peer receives one after the other.
 */
function oneWayLoop(
  { peer, endpoint, oneWay, token }: peers.PeerSession,
  shared: peers.SharedInstructions,
  variants: readonly PreparedVariant[],
  schedule: turns.Schedule,
): turns.TimedLoop {
  const sendOne = async (variant: PreparedVariant, index: number): Promise<void> => {
    const { factory, samples } = variant;
    if (factory.consumed) await factory.fill();
    const { messages } = samples.bursts;
    const failure = nextMessage(endpoint, () => shared.reset());
    shared.messages = messages;
    shared.post(endpoint, peers.RECEIVE, index);
    while (!shared.awaitReady() && !peer.over) await currentPlatform().turnOfEventLoop();
    const posted = await postBurst(factory, oneWay ?? endpoint, messages);
    // The peer waits for as many as were posted.
    if (posted.error !== null) shared.messages = posted.messages;
    shared.reportPosted(posted.messages > 0);
    // Also when nothing was posted: the instructions must not change before the peer has read them.
    while (!shared.awaitReceived() && !peer.over) await currentPlatform().turnOfEventLoop();
    const { duration } = shared;
    // The failure is awaited even if posting failed: the peer's report must not reach the next variant.
    const reason = duration < 0 ? (peers.failureIn(token, await failure) ?? '') : null;
    if (posted.error !== null) throw posted.error;
    if (reason !== null) throw new Error(reason);
    const shorter = Math.min(posted.ns, duration);
    // A burst that may have been shorter than a step of the clock is repeated, and is longer now.
    if (samples.bursts.mustGoOn(shorter)) return sendOne(variant, index);
    samples.bursts.took(shorter);
    if (!loop.keeping) return;
    samples.send.push(posted.ns / messages);
    samples.receive.push(duration / messages);
  };
  const loop: turns.TimedLoop = {
    keeping: false,
    schedule,
    run: (stop) => turns.takeTurns(schedule, variants, stop, sendOne),
  };
  return loop;
}

/** Posts a burst. The time for building values does not count. */
async function postBurst(factory: MessageFactory, endpoint: Endpoint, messages: number) {
  const posted: { messages: number; ns: number; error: unknown } = { messages: 0, ns: 0, error: null };
  try {
    let began = now();
    while (posted.messages < messages) {
      if (factory.consumed) {
        posted.ns += now() - began;
        await factory.fill();
        began = now();
      }
      factory.post(endpoint);
      posted.messages++;
    }
    posted.ns += now() - began;
  } catch (error) {
    posted.error = error ?? new Error('undefined was thrown');
  }
  return posted;
}

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
  return peers.withPeer(onOneChannel(request, request.channel), (session) =>
    withOtherPeer(request, async (other) => {
      const { variants, answers, clock } = await peers.prepareBothSides(session, request, other);
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
  work: (other: peers.PeerSession | null) => Promise<T>,
): Promise<T> {
  const { channel } = request.variants.find(isApart) ?? {};
  return channel === undefined ? work(null) : peers.withPeer(onOneChannel(request, channel), work);
}

/** Request to the peer of one channel. Variants of other channels become empty messages, which keeps the indices. */
function onOneChannel(request: MeasureRequest, channel: Channel): peers.MeasureSpec {
  const variants = map(request.variants, (one) =>
    (one.channel ?? request.channel) === channel ? one : { ...FLOOR, id: one.id },
  );
  return { ...request, channel, variants };
}

async function timed(
  request: MeasureRequest,
  variants: readonly PreparedVariant[],
  loop: turns.TimedLoop,
  oneWay: turns.TimedLoop | null,
  peerGc: () => Promise<Pauses | null>,
): Promise<Measured> {
  const watch = currentPlatform().watchGc?.() ?? null;
  const began = now();
  const rounds = await turns.interleave(request, variants, loop, oneWay);
  const elapsed = now() - began;
  const theirs = await peerGc();
  const gc = sumPauses([watch?.stop() ?? null, theirs], elapsed);
  return { type: 'measured', sets: toSampleSets(request.variants, variants), rounds, gc, ...pageClock() };
}

function planRoundTrips(variants: readonly PreparedVariant[], request: MeasureRequest): turns.Schedule {
  const modes = map(request.variants, ({ mode }) => mode);
  const { seed, originalTurns = 1 } = request;
  const repeated = { index: modes.indexOf('original'), turns: originalTurns };
  return new turns.Schedule(
    usableVariants(variants),
    seedFor(seed, 0),
    turns.firstVariant(modes, seed),
    repeated,
  );
}

function planOneWay(variants: readonly PreparedVariant[], request: MeasureRequest): turns.Schedule | null {
  const { oneWay } = request;
  const timed = filter(
    usableVariants(variants),
    (index) => oneWay === undefined || oneWay.includes(request.variants[index]!.id),
  );
  return timed.length === 0 ? null : new turns.Schedule(timed, seedFor(request.seed, 1));
}

/** Clock and memory of a page; empty if the clock is fine and memory is shared, as in most processes. */
function pageClock(): Pick<Measured, 'page'> {
  const clockStepNs = measureStep();
  const sharesMemory = peers.hasSharedMemory() || currentPlatform().isSender === true;
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

type ProfileRequest = RequestOf<'profile'>;

const WARMUP_MS = 100;

/** Each thread runs its own profiler. @throws ToolError of measuring, 'profiler-missing' on pages, 'output-unwritable' */
export async function profile(request: ProfileRequest): Promise<Profiled> {
  const { recipe, channel } = request;
  if (currentPlatform().startProfiler === undefined) throw new ToolError('profiler-missing');
  if (isLocal(channel)) {
    return withLocal(channel, async (local) => {
      const variants = await prepareVariants([ORIGINAL], recipe, local.transfers, 'alone');
      const loop = localLoop(local, variants, new turns.Schedule(usableVariants(variants), 0));
      return profiled(request, loop, variants, async () => peers.NO_PROFILE);
    });
  }
  const spec = { ...request, variants: [ORIGINAL], profile: request };
  return peers.withPeer(spec, async (session) => {
    const { variants } = await peers.prepareBothSides(session, spec);
    const loop = new RoundTripLoop(() => session, variants, new turns.Schedule(usableVariants(variants), 0));
    return profiled(
      request,
      loop,
      variants,
      async () => (await session.finish()).profile ?? peers.NO_PROFILE,
    );
  });
}

async function profiled(
  request: ProfileRequest,
  loop: turns.TimedLoop,
  [original]: readonly PreparedVariant[],
  endReceiver: () => Promise<peers.SideProfile>,
): Promise<Profiled> {
  await loop.run(after(WARMUP_MS));
  const warmupRounds = loop.schedule.rounds;
  const endProfile = await peers.startProfile('sender', request);
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

function after(ms: number): turns.StopWhen {
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
