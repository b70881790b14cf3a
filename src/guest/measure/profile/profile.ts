import { summaryOf } from '../../../core/profile/summary.ts';
import type { Profile, Profiled } from '../../../model/profile.ts';
import type { Ask, Contestant } from '../../../model/wire.ts';
import { groundHere } from '../../platform/platform.ts';
import { now } from '../loop/clock.ts';
import type { Heat } from '../loop/interleave.ts';
import { Trips } from '../loop/round-trip-loop.ts';
import { Schedule } from '../loop/schedule.ts';
import { Clones } from '../loop/structured-clone-loop.ts';
import { Source } from '../loop/value-source.ts';
import { type Entrants, enter, fit } from '../loop/variants.ts';
import type { Site } from '../peer/peer-session.ts';
import { bothReady, finish, withPeer } from '../peer/with-peer.ts';
import { type SideProfile, SideProfiler } from './side-profiler.ts';
import { withPlace } from './source-location.ts';

type ProfileAsk = Extract<Ask, { type: 'profile' }>;

const ORIGINAL: Contestant = { id: 'original', remedy: null, plan: null, mode: 'original' };
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
  const errand = { ...ask, contestants: [ORIGINAL], profile: { folder, name } };
  return withPeer(errand, async (site, ground) => {
    const entrants = await bothReady(site, errand, ground);
    const trips = new Trips(site, entrants, new Schedule(fit(entrants), 0));
    const taken = await profiled(ask, sender, trips, entrants);
    return profileOf(ask, taken, await receiverOf(site));
  });
}

async function profileClones(ask: ProfileAsk, sender: SideProfiler): Promise<Profiled> {
  const source = new Source(ask.recipe, groundHere().leavesTraces);
  const entrants = await enter([ORIGINAL], source, true);
  const clones = new Clones(entrants, new Schedule(fit(entrants), 0));
  return profileOf(ask, await profiled(ask, sender, clones, entrants), NOBODY);
}

interface SenderTaken {
  sender: SideProfile;
  messages: number;
}

/** Warm-up, then round trips under the profiler of this thread. */
async function profiled(
  { ms }: ProfileAsk,
  profiler: SideProfiler,
  heat: Heat,
  { tallies }: Entrants,
): Promise<SenderTaken> {
  await heat.block(after(WARMUP_MS));
  const warm = heat.schedule.rounds;
  await profiler.start();
  await heat.block(after(ms));
  const sender = await profiler.stop();
  const error = tallies[0]?.error ?? null;
  if (error !== null) throw new Error(error);
  return { sender, messages: heat.schedule.rounds - warm };
}

function after(ms: number): (at: number) => boolean {
  const end = now() + ms * 1e6;
  return (at) => at >= end;
}

async function receiverOf(site: Site): Promise<SideProfile> {
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
    top: (summary?.top ?? []).map((spot) => withPlace(spot, recipe)),
    missing: [...sender.missing, ...receiver.missing],
  };
  return { type: 'profiled', profile: said };
}
