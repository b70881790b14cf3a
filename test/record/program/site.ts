/** A page of a test: its files, and what it says by asking for `/said?...`, or by posting it there. */
import { EventEmitter } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { deferred } from '../../../src/machine/waiting.ts';
import type { Recording } from '../../../src/model/documents/recorded/recording.ts';
import { readThread } from '../../../src/record/files/recording-files.ts';
import { drivenBrowser, type PageOptions, recordPage } from '../../../src/record/program/recorder.ts';
import { sampleBytes } from '../../../src/record/threads/sample-bytes.ts';
import { countedIn } from '../../support/count-bytes.ts';
import { merged } from '../../support/merged.ts';
import { runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';

export interface Site {
  address: string;
  said: string[];
  /** The page has said "END". */
  ended: Promise<void>;
}

/** @param files by path; null: it is never answered @param headers of every file */
export async function withSite<T>(
  files: Readonly<Record<string, string | null>>,
  headers: Readonly<Record<string, string>>,
  use: (site: Site) => Promise<T>,
): Promise<T> {
  const said: string[] = [];
  const { promise: ended, resolve: end } = deferred<void>();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/said') {
      said.push(request.method === 'POST' ? await textOf(request) : decodeURIComponent(search.slice(1)));
      if (said.at(-1) === 'END') end();
      response.end();
    } else answer(response, files[pathname], pathname, headers);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, said, ended });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

type Texts = Readonly<Record<string, string>>;

function answer(response: ServerResponse, file: string | null | undefined, path: string, headers: Texts) {
  if (file === null) return;
  const type = /\.m?js$/.test(path) ? 'text/javascript' : 'text/html';
  response.writeHead(file === undefined ? 404 : 200, { 'content-type': type, ...headers });
  response.end(file);
}

/** So that a page that never says END fails its test. */
export const LONGEST_MS = 60_000;

export interface RecordedSite extends Awaited<ReturnType<typeof recordPage>>, Recording {
  written: string;
  /** A worker has not told that it ended. */
  isUntold: boolean;
}

/** Until the page says END, unless the options end it. */
export async function recordedSite(site: Site, options: Partial<PageOptions> = {}): Promise<RecordedSite> {
  const folder = tempFolder('page');
  const signals = new EventEmitter();
  void site.ended.then(() => signals.emit('SIGINT'));
  const page = await recordPage({
    ...{ address: site.address, browser: runtime('chromium'), headless: true, folder, signals },
    ...{ values: 'none', doctor: false, forMs: LONGEST_MS, env: process.env },
    ...{ onOpening: () => undefined, ...options },
  });
  const read = page.threads.map(readThread);
  const written = page.threads.map(({ lines }) => lines).join('\n');
  const isUntold = read.some(({ thread, ended }) => thread > 0 && !ended);
  const bytesOf = await sampleBytes(read, countedIn(folder));
  return { ...page, ...merged(read, site.address, bytesOf), written, isUntold };
}

/** The same browser without the recorder, until the page says END. @throws Error with what it said, if it does not */
export async function openedSite(site: Site): Promise<void> {
  const late = after(LONGEST_MS, null, { ref: false }).then((): never => {
    throw new Error(`no END within ${LONGEST_MS} ms; the page said:\n${site.said.join('\n')}`);
  });
  const browser = drivenBrowser(runtime('chromium').binary, process.env, true);
  const { devtools } = browser;
  try {
    const { targetInfos } = (await devtools.send('Target.getTargets')) as {
      targetInfos: { type: string; targetId: string }[];
    };
    const { targetId } = targetInfos.find(({ type }) => type === 'page')!;
    const attached = await devtools.send('Target.attachToTarget', { targetId, flatten: true });
    await devtools.send('Page.navigate', { url: site.address }, String(attached!.sessionId));
    await Promise.race([site.ended, late]);
  } finally {
    await browser.close();
  }
}
