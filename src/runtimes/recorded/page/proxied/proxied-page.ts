/** A page in a browser that is not driven, Firefox or WebKit: it comes through a proxy of ours, which puts the recorder into it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../../../../model/errors.ts';
import type { BrowserName } from '../../../../model/names.ts';
import { commandOf, ownEnvironment, withProfile } from '../../../browser/browser.ts';
import { BROWSERS } from '../../../browser/kinds/kinds.ts';
import { deferred } from '../../../guests/body.ts';
import type { OpenPage, PageGone, PageOptions, PageRecorder } from '../open-page.ts';
import { PageProxy } from './page-proxy.ts';
import { Realms } from './realms.ts';

export async function proxiedPage(options: PageOptions, recorder: PageRecorder): Promise<OpenPage> {
  const { address, browser, isHeadless, onOpening } = options;
  const realms = new Realms(recorder, browser, isHeadless);
  const proxy = new PageProxy(realms);
  const { promise: ended, resolve: end, reject: fail } = deferred<PageGone>();
  let isOpen = false;
  proxy.onUnreachable = (detail) => {
    if (!isOpen) fail(new ToolError('page-unreachable', { value: address, detail }));
  };
  realms.onStarted = () => {
    isOpen = true;
  };
  const started = proxiedBrowser(options, await proxy.open());
  onOpening(isHeadless);
  // A browser whose last window was closed ends.
  void started.ended.then((error) => (isOpen ? end('closed') : fail(error)));
  return {
    ended,
    end: () => realms.end(),
    async close() {
      proxy.close();
      await started.close();
    },
  };
}

/** @param port of the proxy; null: without one */
export function proxiedBrowser(
  {
    address,
    browser,
    env: user,
    isHeadless,
  }: Pick<PageOptions, 'address' | 'browser' | 'env' | 'isHeadless'>,
  port: number | null,
) {
  const kind = BROWSERS[browser.name as BrowserName];
  const { group, ended } = withProfile((profile, home) => {
    const page = { url: address, profile, port, isHeadless };
    const { args, files, env } = kind.recorded!(page);
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(profile, name), content, { mode: 0o600 });
    const [file, all] = isHeadless ? commandOf(kind, browser.binary, args) : [browser.binary, args];
    return { file, args: all, env: { ...(isHeadless ? ownEnvironment(home, profile) : user), ...env } };
  });
  return {
    ended,
    async close(): Promise<void> {
      group.kill();
      await ended;
    },
  };
}
