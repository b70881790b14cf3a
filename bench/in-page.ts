/** Plain pages of a real browser without a window: what they ask for, and what they tell. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { BrowserName } from '../src/model/names.ts';
import type { FoundRuntime } from '../src/model/run/runtime.ts';
import { startBrowser } from '../src/runtimes/browser/browser.ts';
import { BROWSERS } from '../src/runtimes/browser/kinds.ts';

/** For each result. */
const DEADLINE_MS = 180_000;

/** Isolated, clocks of pages are as fine as they get. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'no-store',
};

/** By path, without the query. */
export type Served = Record<string, () => Promise<[type: string, body: string]>>;

async function answer(request: IncomingMessage, response: ServerResponse, pages: Served): Promise<void> {
  const page = pages[new URL(request.url ?? '', 'http://page').pathname];
  if (!page) return void response.writeHead(404).end();
  const [type, body] = await page();
  response.writeHead(200, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body);
}

/**
 * Opens one page after the other, each in a browser that is started for all of them.
 *
 * @param addresses "/?payload=orders": of one page each, which posts what it tells to /result and goes where the answer says
 * @returns what each told
 */
export async function inPages(
  browser: FoundRuntime,
  addresses: readonly string[],
  pages: Served,
): Promise<string[]> {
  const results: string[] = [];
  let onDone: (all: string[]) => void;
  const done = new Promise<string[]>((resolve) => {
    onDone = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url !== '/result') return answer(request, response, pages);
    results.push(await text(request));
    silent.refresh();
    response.writeHead(200, HEADERS).end(addresses[results.length] ?? '');
    if (results.length === addresses.length) onDone(results);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const first = `http://127.0.0.1:${port}${addresses[0]}`;
  const opened = startBrowser(browser, BROWSERS[browser.name as BrowserName], first);
  const silent = setTimeout(() => opened.kill(), DEADLINE_MS);
  try {
    return await Promise.race([done, opened.ended.then((error) => Promise.reject(error))]);
  } finally {
    clearTimeout(silent);
    opened.kill();
    await opened.ended;
    server.closeAllConnections();
    server.close();
  }
}
