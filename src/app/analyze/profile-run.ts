import { fileNamePart } from '../../core/profile/file-name.ts';
import type { Profile } from '../../model/documents/profile.ts';
import type { Run } from '../../model/documents/report.ts';
import { askFreshGuest } from '../fresh-guest.ts';
import { runError } from '../payloads.ts';
import { type AnalyzeRequest, emitStep } from '../tools.ts';
import type { RunContext } from './run-context.ts';

/** A fifth of the budget gives some thousand samples; a larger profile shows no more. */
const PROFILE_SHARE = 0.2;
const MAX_PROFILE_MS = 2000;

/** The run with profiles of both threads, in a guest process of its own: nothing that was timed was profiled. */
export async function withProfile(context: RunContext, run: Run): Promise<Run> {
  const { profile } = context.request;
  if (run.status !== 'measured' || !profile) return run;
  return { ...run, profile: await profileOf(context, profile) };
}

async function profileOf(
  context: RunContext,
  { folder, shown }: NonNullable<AnalyzeRequest['profile']>,
): Promise<Profile> {
  const { recipe, channel, runtime, request, tools } = context;
  emitStep(tools, context, 'profile');
  const ms = Math.min(MAX_PROFILE_MS, PROFILE_SHARE * request.budgetMs);
  const asked = { type: 'profile', recipe, channel, ms, folder, name: fileNameOf(context) } as const;
  try {
    const { profile } = await askFreshGuest(asked, runtime, ms + request.timeoutMs, request, tools);
    return { ...profile, files: profile.files.map((file) => `${shown}/${file}`) };
  } catch (error) {
    const missing = [{ what: 'profile', why: runError(error).message }];
    return { by: null, files: [], messages: 0, shares: null, top: [], missing };
  }
}

/** "orders.node-20.20.2"; the channel too where there are several. */
function fileNameOf({ recipe, runtime, channel, request }: RunContext): string {
  const channels = request.channels.length > 1 ? [channel] : [];
  return [recipe.id, `${runtime.name}-${runtime.version}`, ...channels].map(fileNamePart).join('.');
}
