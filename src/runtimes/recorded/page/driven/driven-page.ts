/** A page in Chromium, driven by the DevTools protocol. */
import { ToolError } from '../../../../model/errors.ts';
import { withProfile } from '../../../browser/browser.ts';
import { DevTools } from '../../../browser/devtools.ts';
import { drivenArgs } from '../../../browser/kinds/chromium.ts';
import { deferred } from '../../../guests/body.ts';
import type { Environment } from '../../../process/kind.ts';
import {
  type OpenPage,
  type PageGone,
  type PageOptions,
  type PageRecorder,
  randomHex,
} from '../open-page.ts';
import { Targets } from './targets.ts';

export async function drivenPage(
  { address, browser, env, isHeadless, onOpening }: PageOptions,
  { settings, ...recorder }: PageRecorder,
): Promise<OpenPage> {
  const driven = drivenBrowser(browser.binary, env, isHeadless);
  const { devtools } = driven;
  const binding = `_${randomHex()}`;
  const targets = new Targets({ ...recorder, devtools, settings: { ...settings, binding } });
  const { promise: ended, resolve: end, reject: fail } = deferred<PageGone>();
  let page: string | null = null;
  targets.onPage = async (session) => {
    if (page !== null) return;
    page = session;
    onOpening(isHeadless);
    const error = (await devtools.send('Page.navigate', { url: address }, page))?.errorText;
    if (typeof error === 'string' && error !== '')
      fail(new ToolError('page-unreachable', { value: address, detail: error.replace(/^net::/, '') }));
  };
  targets.onGone = (session, how) => {
    if (session === page) end(how);
  };
  // A browser whose last window was closed ends as well.
  void driven.ended.then((error) => (page === null ? fail(error) : end('closed')));
  targets.watch();
  return { ended, end: () => targets.end(), close: driven.close };
}

/** @param env the user's: proxies, certificates, the display */
export function drivenBrowser(binary: string, env: Environment, isHeadless: boolean) {
  const { group, ended } = withProfile((profile) => ({
    file: binary,
    args: drivenArgs(profile, { isHeadless }),
    env,
    // Chromium reads commands from its file descriptor 3 and writes to 4.
    pipes: 2,
  }));
  return {
    devtools: new DevTools(group.pipe(4), group.pipe(3)),
    ended,
    async close(): Promise<void> {
      group.kill();
      await ended;
    },
  };
}
