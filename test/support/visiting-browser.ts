/** A browser that opens a link as somebody would: nothing is set for measuring, but no lookup of names leaves the machine. */
import { networkInterfaces } from 'node:os';
import type { BrowserName } from '../../src/model/names.ts';
import { startBrowser } from '../../src/runtimes/browser/browser.ts';
import { BROWSERS, type BrowserKind } from '../../src/runtimes/browser/kinds.ts';
import { runtime } from './runtimes.ts';

/** An address of this machine that is not a loopback address: pages of it are not isolated. null where it has none. */
export const networkAddress = (): string | null =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;

const ORDINARY: Readonly<Record<BrowserName, (kind: BrowserKind, host: string) => BrowserKind>> = {
  chromium: (kind, host) => ({
    ...kind,
    args: (profile, url) =>
      kind
        .args(profile, url)
        .filter((arg) => !arg.startsWith('--js-flags'))
        .map((arg) => arg.replace('EXCLUDE 127.*', `EXCLUDE 127.*, EXCLUDE ${host}`)),
  }),
  firefox: (kind) => ({
    ...kind,
    profile: () => ({
      'user.js': String(kind.profile?.()['user.js']).replace(/.*reduceTimerPrecision.*\n/g, ''),
    }),
  }),
  webkit: (kind) => {
    const { JSC_useSharedArrayBuffer: _, ...env } = kind.env;
    return { ...kind, env };
  },
};

export const visit = (name: BrowserName, url: string) =>
  startBrowser(runtime(name), ORDINARY[name](BROWSERS[name], new URL(url).hostname), url);
