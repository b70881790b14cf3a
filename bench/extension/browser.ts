/** A browser with two extensions, which differ in how their messages are written: a page of each, and what one message takes. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXTENSION_CHANNELS, type ExtensionChannel } from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { type DrivenBrowser, type JsonFields, startDriven } from '../../src/runtimes/browser/browser.ts';
import { chromium } from '../../src/runtimes/browser/kinds.ts';

/** Isolated, a page has a fine clock. */
const manifest = (channel: ExtensionChannel) => ({
  manifest_version: 3,
  name: `bench of ${channel}`,
  version: '1.0',
  background: { service_worker: 'background.js', type: 'module' },
  cross_origin_opener_policy: { value: 'same-origin' },
  cross_origin_embedder_policy: { value: 'require-corp' },
  ...(channel === 'extension-clone' && { message_serialization: 'structured_clone' }),
});

const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="page.js"></script>';

const DEADLINE_MS = 60_000;

/** What one message takes: ms, or what posting it threw. */
export type Trip = (payload: string, way: string, by: 'port' | 'sendMessage') => Promise<number | string>;

function filesOf(channel: ExtensionChannel, folder: string, home: string): string {
  const path = join(home, channel);
  mkdirSync(path);
  cpSync(folder, path, { recursive: true });
  writeFileSync(join(path, 'manifest.json'), JSON.stringify(manifest(channel)));
  writeFileSync(join(path, 'page.html'), PAGE);
  return path;
}

/** @throws Error where the browser loads no extension */
async function openPage(
  { devtools, home }: DrivenBrowser,
  channel: ExtensionChannel,
  folder: string,
): Promise<Trip> {
  const asked = async (method: string, params: JsonFields, session = ''): Promise<JsonFields> => {
    const answer = await devtools.send(method, params, session);
    if (answer === null) throw new Error(`${method}: refused`);
    return answer;
  };
  const { id } = await asked('Extensions.loadUnpacked', { path: filesOf(channel, folder, home) });
  const { targetId } = await asked('Target.createTarget', { url: 'about:blank' });
  const attached = await asked('Target.attachToTarget', { targetId, flatten: true });
  const page = attached.sessionId as string;
  await asked('Page.enable', {}, page);
  const loaded = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the page of the extension does not load')), DEADLINE_MS);
    devtools.onEvent = (method, _, session) => {
      if (method !== 'Page.loadEventFired' || session !== page) return;
      clearTimeout(late);
      resolve();
    };
  });
  await Promise.all([asked('Page.navigate', { url: `chrome-extension://${id}/page.html` }, page), loaded]);
  return async (...args) => {
    const expression = `trip(${args.map((one) => JSON.stringify(one)).join()})`;
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await asked('Runtime.evaluate', options, page);
    return (result as { value: number | string }).value;
  };
}

/** @param folder the files of the extensions, without their manifest */
export async function withExtensions<T>(
  runtime: FoundRuntime,
  folder: string,
  use: (pages: Record<ExtensionChannel, Trip>) => Promise<T>,
): Promise<T> {
  const browser = startDriven(runtime, chromium, chromium.extended!);
  // The browser does not keep this program running, nor does its end.
  const running = setInterval(() => undefined, DEADLINE_MS);
  try {
    const pages: Partial<Record<ExtensionChannel, Trip>> = {};
    for (const channel of EXTENSION_CHANNELS) pages[channel] = await openPage(browser, channel, folder);
    return await use(pages as Record<ExtensionChannel, Trip>);
  } finally {
    browser.kill();
    await browser.ended;
    clearInterval(running);
  }
}
