import { summaryOf } from '../../../core/profile/summary.ts';
import { ORIGINAL } from '../../../core/stats/variant-samples.ts';
import type { Profile } from '../../../model/documents/profile.ts';
import type { Profiled } from '../../../model/wire/profiled.ts';
import type { RequestOf } from '../../../model/wire/wire.ts';
import { now } from '../../platform/common/clock.ts';
import type { StopWhen, TimedLoop } from '../loop/interleave.ts';
import { RoundTripLoop } from '../loop/round-trip-loop.ts';
import { Schedule } from '../loop/schedule.ts';
import { StructuredCloneLoop } from '../loop/structured-clone-loop.ts';
import type { PeerSession } from '../peer/peer-session.ts';
import { type SideProfile, SideProfiler } from '../peer/side-profiler.ts';
import { prepareBothSides, withPeer } from '../peer/with-peer.ts';
import { type PreparedVariant, prepareVariants, usableVariants } from '../variants/prepare.ts';
import { withSourceLocation } from './source-location.ts';

type ProfileRequest = RequestOf<'profile'>;

const WARMUP_MS = 100;
/** `structuredClone` has one thread and no receiver. */
const NO_RECEIVER: SideProfile = { by: null, files: [], spent: [], missing: [] };

/**
 * Profiles both threads during round trips of the original to a fresh peer. Each thread runs its own profiler and writes
 * its own files.
 *
 * @throws ToolError as measuring does, 'profiler-missing' on pages, 'output-unwritable' for the files
 */
export async function profile(request: ProfileRequest): Promise<Profiled> {
  const { folder, name } = request;
  const sender = new SideProfiler('sender', { folder, name });
  if (request.channel === 'structured-clone') return profileClones(request, sender);
  const spec = { ...request, variants: [ORIGINAL], profile: { folder, name } };
  return withPeer(spec, async (session) => {
    const variants = await prepareBothSides(session, spec);
    const loop = new RoundTripLoop(session, variants, new Schedule(usableVariants(variants), 0));
    const profiled = await profileSender(request, sender, loop, variants);
    return profileResult(request, profiled, await receiverProfile(session));
  });
}

async function profileClones(request: ProfileRequest, sender: SideProfiler): Promise<Profiled> {
  const variants = await prepareVariants([ORIGINAL], request.recipe, true, 'alone');
  const loop = new StructuredCloneLoop(variants, new Schedule(usableVariants(variants), 0));
  return profileResult(request, await profileSender(request, sender, loop, variants), NO_RECEIVER);
}

interface SenderProfile {
  sender: SideProfile;
  messages: number;
}

/** Warm-up, then round trips under the profiler of this thread. */
async function profileSender(
  { ms }: ProfileRequest,
  profiler: SideProfiler,
  loop: TimedLoop,
  [original]: readonly PreparedVariant[],
): Promise<SenderProfile> {
  await loop.run(after(WARMUP_MS));
  const warmupRounds = loop.schedule.rounds;
  await profiler.start();
  await loop.run(after(ms));
  const sender = await profiler.stop();
  const error = original?.samples.error ?? null;
  if (error !== null) throw new Error(error);
  return { sender, messages: loop.schedule.rounds - warmupRounds };
}

function after(ms: number): StopWhen {
  const end = now() + ms * 1e6;
  return (at) => at >= end;
}

async function receiverProfile(session: PeerSession): Promise<SideProfile> {
  const { profile } = await session.finish();
  if (typeof profile !== 'string') return profile ?? NO_RECEIVER;
  return { ...NO_RECEIVER, missing: [{ what: 'receiver', why: profile }] };
}

function profileResult(
  { recipe }: ProfileRequest,
  { sender, messages }: SenderProfile,
  receiver: SideProfile,
): Profiled {
  const summary = summaryOf({ sender: sender.spent, receiver: receiver.spent }, messages);
  const both: Profile = {
    by: sender.by ?? receiver.by,
    files: [...sender.files, ...receiver.files],
    messages,
    shares: summary?.shares ?? null,
    top: (summary?.top ?? []).map((spot) => withSourceLocation(spot, recipe)),
    missing: [...sender.missing, ...receiver.missing],
  };
  return { type: 'profiled', profile: both };
}
