import { seedFor } from '../../core/stats/random.ts';
import { filter, map } from '../../core/value/lists.ts';
import type { Stage } from '../../model/wire/stage.ts';
import type { Measured, RequestOf } from '../../model/wire/wire.ts';
import { clockStep, now } from '../platform/common/clock.ts';
import { currentPlatform } from '../platform/current.ts';
import { interleave } from './loop/interleave.ts';
import { OneWayLoop } from './loop/one-way-loop.ts';
import { gcOf, setsOf } from './loop/results.ts';
import { RoundTripLoop } from './loop/round-trip-loop.ts';
import { firstVariant, Schedule } from './loop/schedule.ts';
import { StructuredCloneLoop } from './loop/structured-clone-loop.ts';
import { hasSharedMemory } from './peer/instructions.ts';
import { prepareBothSides, withPeer } from './peer/with-peer.ts';
import { type PreparedVariant, prepareVariants, usableVariants } from './variants/prepare.ts';

type MeasureRequest = RequestOf<'measure'>;

/**
 * Times the variants of one request in turns, in this process and one fresh peer. Every sample is one message, in ns;
 * none is dropped.
 *
 * @throws ToolError 'measure-failed' when the peer dies, 'channel-unsupported' where the runtime has no such channel,
 *   and what building the payload throws
 */
export async function measure(
  request: MeasureRequest,
  onStage: (stage: Stage) => Promise<void> = async () => undefined,
): Promise<Measured> {
  if (request.channel === 'structured-clone') return measureClones(request);
  await onStage('peer');
  return measureRoundTrips(request, onStage);
}

function scheduleOf(variants: readonly PreparedVariant[], request: MeasureRequest): Schedule {
  const modes = map(request.variants, ({ mode }) => mode);
  const { seed, originalTurns = 1 } = request;
  const repeated = { index: modes.indexOf('original'), turns: originalTurns };
  return new Schedule(usableVariants(variants), seedFor(seed, 0), firstVariant(modes, seed), repeated);
}

/** Null when no variant is to be timed one way. */
function oneWayScheduleOf(variants: readonly PreparedVariant[], request: MeasureRequest): Schedule | null {
  const { oneWay } = request;
  const timed = filter(
    usableVariants(variants),
    (index) => oneWay === undefined || oneWay.includes(request.variants[index]!.id),
  );
  return timed.length === 0 ? null : new Schedule(timed, seedFor(request.seed, 1));
}

/** Processes have a fine clock, or say nothing of memory: between them there is none to share. */
function pageClock(): Pick<Measured, 'page'> {
  const clockStepNs = clockStep();
  const sharesMemory = hasSharedMemory();
  return clockStepNs === 0 && sharesMemory ? {} : { page: { clockStepNs, sharesMemory } };
}

async function measureClones(request: MeasureRequest): Promise<Measured> {
  const variants = await prepareVariants(request.variants, request.recipe, true, 'alone');
  const loop = new StructuredCloneLoop(variants, scheduleOf(variants, request));
  const watch = currentPlatform().watchGc?.() ?? null;
  const began = now();
  const rounds = await interleave(request, variants, loop, null);
  const gc = gcOf([watch?.stop() ?? null], now() - began);
  return { type: 'measured', sets: setsOf(request.variants, variants), rounds, gc, ...pageClock() };
}

function measureRoundTrips(
  request: MeasureRequest,
  onStage: (stage: Stage) => Promise<void>,
): Promise<Measured> {
  return withPeer(request, async (session, life) => {
    const variants = await prepareBothSides(session, request);
    await onStage('measure');
    const roundTrips = new RoundTripLoop(session, variants, scheduleOf(variants, request));
    const schedule = oneWayScheduleOf(variants, request);
    const oneWay =
      session.shared && schedule && new OneWayLoop(session, session.shared, variants, schedule, life);
    const watch = currentPlatform().watchGc?.() ?? null;
    const began = now();
    const rounds = await interleave(request, variants, roundTrips, oneWay);
    const elapsed = now() - began;
    const results = await session.finish();
    const gc = gcOf([watch?.stop() ?? null, results.gc], elapsed);
    return { type: 'measured', sets: setsOf(request.variants, variants), rounds, gc, ...pageClock() };
  });
}
