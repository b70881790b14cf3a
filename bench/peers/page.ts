/** The program in a page of a real browser without a window. */

import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { BrowserName } from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { startBrowser } from '../../src/runtimes/browser/browser.ts';
import { BROWSERS } from '../../src/runtimes/browser/kinds/kinds.ts';
import type { Timed } from './inside/compete.ts';
import type { Ask } from './inside/open.ts';

const DEADLINE_MS = 180_000;
const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.mjs"></script>';

/** Isolated, clocks of pages are as fine as they get. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'no-store',
};

/** Paths instead of files; what a page asks for. */
type Served = Record<string, () => Promise<[type: string, body: string]>>;

function served(folder: string, ask: Ask): Served {
  const file = (type: string, path: string) => async (): Promise<[string, string]> => [
    type,
    await readFile(path, 'utf8'),
  ];
  const script = (path: string) => file('text/javascript', path);
  const codec = ask.codec === null ? null : '/codec.mjs';
  return {
    '/': async () => ['text/html', PAGE],
    '/ask': async () => ['application/json', JSON.stringify({ ...ask, payload: '/payload.json', codec })],
    '/payload.json': file('application/json', ask.payload),
    '/page.mjs': script(join(folder, 'page', 'page.mjs')),
    '/echo.mjs': script(join(folder, 'page', 'echo.mjs')),
    ...(ask.codec !== null && { '/codec.mjs': script(ask.codec) }),
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, pages: Served): Promise<void> {
  const page = pages[request.url ?? ''];
  if (!page) return void response.writeHead(404).end();
  const [type, body] = await page();
  response.writeHead(200, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body);
}

/** `ask` names files. */
export async function timedInPage(folder: string, browser: FoundRuntime, ask: Ask): Promise<Timed> {
  const pages = served(folder, ask);
  let onResult: (result: string) => void;
  const result = new Promise<string>((resolve) => {
    onResult = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url !== '/result') return answer(request, response, pages);
    onResult(await text(request));
    response.writeHead(204).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const opened = startBrowser(browser, BROWSERS[browser.name as BrowserName], `http://127.0.0.1:${port}/`);
  const silent = setTimeout(() => opened.kill(), DEADLINE_MS);
  const failed = opened.ended.then((error) => Promise.reject(error));
  try {
    const told = JSON.parse(await Promise.race([result, failed])) as Timed | { error: string };
    if ('error' in told) throw new Error(`${basename(ask.payload)} on ${browser.name}: ${told.error}`);
    return told;
  } finally {
    clearTimeout(silent);
    opened.kill();
    await opened.ended;
    server.closeAllConnections();
    server.close();
  }
}
