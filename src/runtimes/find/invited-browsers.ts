import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime, LinkOptions, Visitors } from '../../model/run/runtime.ts';
import type { Invitation } from '../browser/link/invitation.ts';

/** Stands for a browser that somebody opens a link with. */
export const LINK_SPEC = 'url';

interface InviteOptions {
  link?: LinkOptions | undefined;
  onNote?: (text: string) => void;
  signal?: AbortSignal | undefined;
}

/** All that are waited for at one link, which is made when the first is asked for. */
export class InvitedBrowsers {
  readonly #wanted: number;
  #asked = 0;
  #opened: Promise<Invitation> | null = null;

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** @throws ToolError 'runtime-missing' when none has come in time, 'interrupted', 'usage' */
  async next({ link, onNote, signal }: InviteOptions): Promise<FoundRuntime> {
    const which = this.#wanted === 1 ? 'a browser' : `browser ${++this.#asked} of ${this.#wanted}`;
    if (!link) {
      const detail = 'only analyze and sweep wait for a browser';
      throw new ToolError('runtime-missing', { value: LINK_SPEC, detail });
    }
    this.#opened ??= import('../browser/link/invitation.ts').then(({ openInvitation }) =>
      openInvitation(this.#wanted, link),
    );
    const runtime = await (await this.#opened).next(which, link.timeoutMs, signal);
    onNote?.(`${runtime.spec} has joined by the link`);
    return runtime;
  }

  async visitors(): Promise<{ visitors?: Visitors }> {
    return this.#opened === null ? {} : { visitors: (await this.#opened).visitors };
  }
}
