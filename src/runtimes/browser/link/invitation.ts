/** The link of `-r url`: any browser that opens it takes part. */

import { randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { compareVersions } from '../../../engines/versions/versions.ts';
import { deferred, inTime, within } from '../../../machine/waiting.ts';
import { ToolError } from '../../../model/errors.ts';
import { ENGINE_OF } from '../../../model/names.ts';
import { type FoundRuntime, FROM_LINK, type LinkOptions } from '../../../model/run/runtime.ts';
import type { Hello } from '../../../model/wire/wire.ts';
import { BROWSERS, isBrowser } from '../kinds.ts';
import { type Invited, server } from '../pages/page-server.ts';
import { PageSession } from '../pages/page-session.ts';
import { LOOPBACK_HOSTS, Tab, type TabOwner } from '../tab.ts';

/** The tool can stop only its link. */
function visitor({ spec }: FoundRuntime): TabOwner {
  const { promise, resolve } = deferred<ToolError>();
  return {
    ended: promise,
    // Over a slow network the next page comes late.
    graceMs: 5000,
    kill: () => resolve(new ToolError('browser-left', { value: spec })),
    excerpt: () => '',
  };
}

/** For the page after the last guest, so that it can show the end. */
const LAST_PAGE_MS = 3000;

/** Maximum pages that were opened and have not connected: previews of links, and people who try the link out. */
const MAX_ENTERING = 8;

/** @throws ToolError 'usage' */
function hostsOf(listen: string | null): readonly string[] {
  if (listen === null || LOOPBACK_HOSTS.includes(listen)) return LOOPBACK_HOSTS;
  const here = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).flatMap(({ family, address }) => (family === 'IPv4' ? [address] : [])),
  );
  if (here.includes(listen)) return [listen];
  const detail = `--listen ${listen}: not an IPv4 address of this machine. It has: ${here.join(', ')}`;
  throw new ToolError('usage', { detail });
}

export class Invitation implements Invited {
  readonly token = randomBytes(16).toString('hex');
  readonly hosts: readonly string[];
  port = 0;
  readonly origin = null;
  readonly #tabs: Tab[] = [];
  readonly #link: LinkOptions;
  readonly #entering = new Set<PageSession>();
  /** Calls of `next` that wait for a browser. */
  #seats: ((runtime: FoundRuntime) => void)[] = [];

  constructor(link: LinkOptions) {
    this.#link = link;
    this.hosts = hostsOf(link.listen);
  }

  get host(): string {
    return this.hosts[0]!;
  }

  get isPublic(): boolean {
    return this.hosts !== LOOPBACK_HOSTS;
  }

  /** @throws ToolError 'runtime-missing', 'interrupted' */
  async next(signal?: AbortSignal): Promise<FoundRuntime> {
    const { timeoutMs } = this.#link;
    const detail = `no browser opened the link within ${timeoutMs / 1000} s; --timeout says how long to wait`;
    const missing = () => new ToolError('runtime-missing', { value: 'url', detail });
    const { promise, resolve } = deferred<FoundRuntime>();
    this.#seats.push(resolve);
    try {
      return await inTime(promise, timeoutMs, missing, signal);
    } finally {
      this.#seats = this.#seats.filter((seat) => seat !== resolve);
    }
  }

  /** Opens a separate page for a visitor of the link, who takes a place when the page connects. */
  async enter(): Promise<string | null> {
    if (this.#seats.length === 0) return null;
    const session = new PageSession(this.host, true);
    this.#entering.add(session);
    const [oldest] = this.#entering;
    if (this.#entering.size > MAX_ENTERING && oldest) server.close(oldest);
    void session.closed.then(() => {
      if (this.#entering.delete(session)) server.close(session);
    });
    void session.connected.then((hello) => this.#join(session, hello));
    return server.open(session);
  }

  #join(session: PageSession, { runtime: { name, version, brand } }: Hello): void {
    if (!this.#entering.has(session)) return;
    const seat = isBrowser(name) ? this.#seats.shift() : undefined;
    if (seat === undefined || !isBrowser(name)) {
      server.close(session);
      return;
    }
    this.#entering.delete(session);
    // All that a user agent says is a claim: a version is digits and dots.
    const shown = /^\d{1,8}(\.\d{1,8}){0,3}/.exec(version)?.[0] ?? '0';
    const spec = `${brand ?? name}@${shown}`;
    const { oldest } = BROWSERS[name];
    const same = this.#tabs.filter(({ runtime }) => runtime.spec.split(' ')[0] === spec).length;
    const runtime: FoundRuntime = {
      ...{ name, version: shown, engine: ENGINE_OF[name], ...(brand && { brand }) },
      spec: same === 0 ? spec : `${spec} (${same + 1})`,
      binary: `${FROM_LINK}:${this.token}:${this.#tabs.length}`,
      from: FROM_LINK,
      link: this.isPublic ? 'network' : 'this-machine',
      ...(compareVersions(shown, oldest) < 0 && { needs: oldest }),
    };
    this.#tabs.push(new Tab(visitor(runtime), runtime, session, this.hosts));
    seat(runtime);
  }

  /** Closes the page of each browser that is still there, which then shows the end. */
  async end(): Promise<void> {
    const last = this.#tabs.map(({ session }) => session);
    await within(LAST_PAGE_MS, Promise.all(last.map(({ connected }) => connected)));
    for (const { session } of this.#tabs) server.close(session);
  }
}

export async function openInvitation(browsers: number, options: LinkOptions): Promise<Invitation> {
  const invitation = new Invitation(options);
  const url = await server.open(invitation);
  const { timeoutMs, onLink } = options;
  onLink({ url, browsers, timeoutMs, isPublic: invitation.isPublic });
  return invitation;
}
