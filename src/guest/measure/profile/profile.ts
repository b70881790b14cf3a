import { summaryOf } from '../../../core/profile/summary.ts';
import type { Profile, Profiled } from '../../../model/profile.ts';
import type { GuestRequest, Variant } from '../../../model/wire.ts';
import { currentPlatform } from '../../platform/platform.ts';
import { now } from '../loop/clock.ts';
import type { TimedLoop } from '../loop/interleave.ts';
import { RoundTripLoop } from '../loop/round-trip-loop.ts';
import { Schedule } from '../loop/schedule.ts';
import { StructuredCloneLoop } from '../loop/structured-clone-loop.ts';
import { ValueSource } from '../loop/value-source.ts';
import { type PreparedVariants, prepareVariants, usableVariants } from '../loop/variants.ts';
import type { PeerSession } from '../peer/peer-session.ts';
import { bothReady, finish, withPeer } from '../peer/with-peer.ts';
import { type SideProfile, SideProfiler } from './side-profiler.ts';
import { withSourceLocation } from './source-location.ts';

type ProfileAsk = Extract<GuestRequest, { type: 'profile' }>;

const ORIGINAL: Variant = { id: 'original', remedy: null, plan: null, mode: 'original' };
const WARMUP_MS = 100;
/** A receiver that is none: `structuredClone` has one thread. */
const NOBODY: SideProfile = { by: null, files: [], spent: [], missing: [] };

/**
 * Profiles both threads while the payload goes to a fresh peer and back, each by the profiler of its own thread, which
 * writes its own files.
 *
 * @throws ToolError as measuring does, 'output-unwritable' for the files
 */
export async function profile(ask: ProfileAsk): Promise<Profiled> {
  const { folder, name } = ask;
  const sender = new SideProfiler('sender', { folder, name });
  if (ask.channel === 'structured-clone') return profileClones(ask, sender);
  const errand = { ...ask, variants: [ORIGINAL], profile: { folder, name } };
  return withPeer(errand, async (site, ground) => {
    const variants = await bothReady(site, errand, ground);
    const trips = new RoundTripLoop(site, variants, new Schedule(usableVariants(variants), 0));
    const taken = await profiled(ask, sender, trips, variants);
    return profileOf(ask, taken, await receiverOf(site));
  });
}

async function profileClones(ask: ProfileAsk, sender: SideProfiler): Promise<Profiled> {
  const source = new ValueSource(ask.recipe, currentPlatform().postingChangesValues);
  const variants = await prepareVariants([ORIGINAL], source, true);
  const clones = new StructuredCloneLoop(variants, new Schedule(usableVariants(variants), 0));
  return profileOf(ask, await profiled(ask, sender, clones, variants), NOBODY);
}

interface SenderTaken {
  sender: SideProfile;
  messages: number;
}

/** Warm-up, then round trips under the profiler of this thread. */
async function profiled(
  { ms }: ProfileAsk,
  profiler: SideProfiler,
  heat: TimedLoop,
  { samples: tallies }: PreparedVariants,
): Promise<SenderTaken> {
  await heat.run(after(WARMUP_MS));
  const warm = heat.schedule.rounds;
  await profiler.start();
  await heat.run(after(ms));
  const sender = await profiler.stop();
  const error = tallies[0]?.error ?? null;
  if (error !== null) throw new Error(error);
  return { sender, messages: heat.schedule.rounds - warm };
}

function after(ms: number): (at: number) => boolean {
  const end = now() + ms * 1e6;
  return (at) => at >= end;
}

async function receiverOf(site: PeerSession): Promise<SideProfile> {
  const { profile: said } = await finish(site);
  if (typeof said !== 'string') return said ?? NOBODY;
  return { ...NOBODY, missing: [{ what: 'receiver', why: said }] };
}

function profileOf(
  { recipe }: ProfileAsk,
  { sender, messages }: SenderTaken,
  receiver: SideProfile,
): Profiled {
  const summary = summaryOf({ sender: sender.spent, receiver: receiver.spent }, messages);
  const said: Profile = {
    by: sender.by ?? receiver.by,
    files: [...sender.files, ...receiver.files],
    messages,
    shares: summary?.shares ?? null,
    top: (summary?.top ?? []).map((spot) => withSourceLocation(spot, recipe)),
    missing: [...sender.missing, ...receiver.missing],
  };
  return { type: 'profiled', profile: said };
}
