import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime, LinkOptions, Visitors } from '../../model/run/runtime.ts';
import { type Invitation, openInvitation } from '../browser/link/invitation.ts';

/** Stands for a browser that somebody opens a link with. */
export const LINK_SPEC = 'url';

interface InviteOptions {
  link?: LinkOptions | undefined;
  onNote?: (text: string) => void;
  signal?: AbortSignal | undefined;
}

export type InvitedBrowsers = ReturnType<typeof invitedBrowsers>;

/** All that are waited for at one link, which is made when the first is asked for. */
export function invitedBrowsers(wanted: number) {
  let asked = 0;
  let opened: Promise<Invitation> | null = null;
  return {
    /** @throws ToolError 'runtime-missing' when none has come in time, 'interrupted', 'usage' */
    async next({ link, onNote, signal }: InviteOptions): Promise<FoundRuntime> {
      const which = wanted === 1 ? 'a browser' : `browser ${++asked} of ${wanted}`;
      if (!link) {
        const detail = 'only analyze and sweep wait for a browser';
        throw new ToolError('runtime-missing', { value: LINK_SPEC, detail });
      }
      opened ??= openInvitation(wanted, link);
      const runtime = await (await opened).next(which, link.timeoutMs, signal);
      onNote?.(`${runtime.spec} has joined by the link`);
      return runtime;
    },
    visitors: async (): Promise<{ visitors?: Visitors }> =>
      opened === null ? {} : { visitors: (await opened).visitors },
  };
}
