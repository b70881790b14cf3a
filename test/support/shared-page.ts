/** One page of each browser for all that needs no fresh one: each page is a process, and takes up to a second. */
import { after } from 'node:test';
import { bundleForPage } from '../../src/app/sources/bundle.ts';
import type { Sender } from '../../src/model/names.ts';
import type { FoundRuntime, Guest } from '../../src/model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../../src/model/wire/wire.ts';
import { runtimeDriver } from '../../src/runtimes/driver.ts';

const DEADLINE_MS = 240_000;

const pages = new Map<string, Promise<Guest>>();

/** Memory is that of the processes of pages: before it is measured, no other page of the browser may be there. */
export async function closePages({ binary }: FoundRuntime): Promise<void> {
  for (const [key, page] of pages) {
    if (!key.startsWith(binary)) continue;
    pages.delete(key);
    await (await page).close();
  }
}
after(async () => {
  for (const page of pages.values()) await (await page).close();
});

export async function askPage<R extends GuestRequest>(
  browser: FoundRuntime,
  request: R,
  sender?: Sender,
): Promise<AnswerTo<R['type']>> {
  const key = `${browser.binary} ${sender ?? 'main'}`;
  const terms = { timeoutMs: DEADLINE_MS, cwd: process.cwd(), sender };
  const page = pages.get(key) ?? runtimeDriver(bundleForPage).start(browser, terms);
  pages.set(key, page);
  return (await page).ask(request, { deadlineMs: DEADLINE_MS });
}
