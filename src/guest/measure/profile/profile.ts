import type { HotSpot, Profile } from '../../../model/documents/profile.ts';
import { ToolError } from '../../../model/errors.ts';
import { isLocal } from '../../../model/names.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import type { Profiled, RequestOf } from '../../../model/wire/wire.ts';
import { ORIGINAL } from '../../../stats/intervals/variant-samples.ts';
import { summaryOf } from '../../../stats/profile/summary.ts';
import { withLocal } from '../../channel/channel.ts';
import { now } from '../../platform/common/clock.ts';
import { currentPlatform } from '../../platform/common/platform.ts';
import { Schedule, type StopWhen, type TimedLoop } from '../loop/interleave.ts';
import { localLoop } from '../loop/local-loop.ts';
import { RoundTripLoop } from '../loop/round-trip-loop.ts';
import { prepareBothSides, withPeer } from '../peer/peer-session.ts';
import { type SideProfile, startProfile } from '../peer/side-profiler.ts';
import { type PreparedVariant, prepareVariants, usableVariants } from '../variants/prepare.ts';

type ProfileRequest = RequestOf<'profile'>;

const WARMUP_MS = 100;
/** Such a channel has one thread and no receiver. */
const NO_RECEIVER: SideProfile = { by: null, files: [], spent: [], missing: [] };

/**
 * Profiles both threads during round trips of the original to a fresh peer. Each thread runs its own profiler and
 * writes its own files.
 *
 * @throws ToolError of measuring, 'profiler-missing' on pages, 'output-unwritable' for the files
 */
export async function profile(request: ProfileRequest): Promise<Profiled> {
  const { folder, name } = request;
  if (currentPlatform().startProfiler === undefined) throw new ToolError('profiler-missing');
  if (isLocal(request.channel)) {
    return withLocal(request.channel, async (channel) => {
      const variants = await prepareVariants([ORIGINAL], request.recipe, channel.transfers, 'alone');
      const loop = localLoop(channel, variants, new Schedule(usableVariants(variants), 0));
      return profileResult(request, await profileSender(request, loop, variants), null);
    });
  }
  const spec = { ...request, variants: [ORIGINAL], profile: { folder, name } };
  return withPeer(spec, async (session) => {
    const { variants } = await prepareBothSides(session, spec);
    const loop = new RoundTripLoop(() => session, variants, new Schedule(usableVariants(variants), 0));
    const profiled = await profileSender(request, loop, variants);
    const { profile: theirs } = await session.finish();
    const failed = (why: string) => ({ ...NO_RECEIVER, missing: [{ what: 'receiver', why }] });
    return profileResult(request, profiled, typeof theirs === 'string' ? failed(theirs) : theirs);
  });
}

/** Warm-up, then round trips under the profiler of this thread. */
async function profileSender(
  { ms, folder, name }: ProfileRequest,
  loop: TimedLoop,
  [original]: readonly PreparedVariant[],
): Promise<{ sender: SideProfile; messages: number }> {
  await loop.run(after(WARMUP_MS));
  const warmupRounds = loop.schedule.rounds;
  const endProfile = await startProfile('sender', { folder, name });
  await loop.run(after(ms));
  const sender = await endProfile();
  const error = original?.samples.error ?? null;
  if (error !== null) throw new Error(error);
  return { sender, messages: loop.schedule.rounds - warmupRounds };
}

function after(ms: number): StopWhen {
  const end = now() + ms * 1e6;
  return (at) => at >= end;
}

function profileResult(
  { recipe }: ProfileRequest,
  { sender, messages }: Awaited<ReturnType<typeof profileSender>>,
  theirs: SideProfile | null,
): Profiled {
  const receiver = theirs ?? NO_RECEIVER;
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

/** Adds the location in the user's own file, relative to the user's folder, also when a bundle of it ran. */
function withSourceLocation(spot: HotSpot, { build }: Recipe): HotSpot {
  if (spot.work !== 'user' || spot.where === null) return spot;
  if (build.form !== 'module') return { ...spot, where: withoutUrl(spot.where) };
  const { sources } = currentPlatform();
  const location = sources.stackLocation(spot.where, { file: build.file, name: build.original });
  if (location === null) return { ...spot, where: withoutUrl(spot.where) };
  const file = location.file ?? sources.shownPath(build.original);
  return { ...spot, where: `${file}:${location.line}:${location.column}` };
}

const FILE_URL = /^(file:.*?)(?:\?[^:]*)?((?::\d+)*)$/;

function withoutUrl(where: string): string {
  const [, url, position = ''] = FILE_URL.exec(where) ?? [];
  return url === undefined ? where : currentPlatform().sources.shownPath(url) + position;
}
