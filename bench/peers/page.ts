/** The program in a page of a real browser without a window. */

import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { inPages, type Served } from '../in-page.ts';
import type { Timed } from './inside/compete.ts';
import type { Ask } from './inside/open.ts';

const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.mjs"></script>';

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

/** `ask` names files. */
export async function timedInPage(folder: string, browser: FoundRuntime, ask: Ask): Promise<Timed> {
  const [result] = await inPages(browser, ['/'], served(folder, ask));
  const told = JSON.parse(result!) as Timed | { error: string };
  if ('error' in told) throw new Error(`${basename(ask.payload)} on ${browser.name}: ${told.error}`);
  return told;
}
