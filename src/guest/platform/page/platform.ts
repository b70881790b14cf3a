import { extensionPeers, isOfExtension } from '../../../channels/extension/guest/page.ts';
import { databases } from '../../../channels/indexeddb/guest/page.ts';
import {
  clientEndpoint,
  isServiceWorker,
  serviceWorkers,
} from '../../../channels/service-worker/guest/page.ts';
import { frames, windowEndpoint } from '../../../channels/window/guest/page.ts';
import { ToolError } from '../../../model/errors.ts';
import { now } from '../common/clock.ts';
import { type PeakMemory, type Platform, toWorkers } from '../common/platform.ts';
import { webParentEndpoint, webWorkers } from '../common/web.ts';
import { startWebWorker } from '../common/web-worker.ts';
import { pagePlatform, servedSources, watchReadBack } from './page-platform.ts';

// Taken before user code loads.
const get = fetch;
const { parse } = JSON;
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  body: string,
) => () => Promise<{ default?: unknown }>;

/** The last statement that esbuild writes, in an ES module and in a CommonJS module. */
const NAMED = /\nexport \{\n([^{}]*)\n\};\s*$/;
const WHOLE = /\nexport default (.*);\s*$/;

/** `  own as "its name"` */
function getterOf(line: string): string {
  const [, own = '', name = own] = /^\s*(\S+?)(?: as (.+?))?,?$/.exec(line) ?? [];
  const key = name.startsWith('"') ? (parse(name) as string) : name;
  return `get ${JSON.stringify(key)}() { return ${own}; }`;
}

function bodyOf(text: string): string {
  const named = NAMED.exec(text);
  const whole = named ? null : WHOLE.exec(text);
  const members = named ? named[1]!.split('\n').map(getterOf) : whole ? [`default: ${whole[1]}`] : [];
  const code = text.slice(0, (named ?? whole)?.index);
  return `"use strict"; ${code}\nreturn { __proto__: null, ${members.join(', ')} };`;
}

/** A service worker imports nothing after its start: the text of the bundle becomes the body of a function. */
async function evaluated(address: string): Promise<{ default?: unknown }> {
  const body = bodyOf(await (await get(address)).text());
  const evaluate = await compiling(() => new AsyncFunction(body));
  return evaluate();
}

const waiting: (() => void)[] = [];

function compileWaiting(): void {
  for (const work of waiting.splice(0)) work();
}

if (isOfExtension) Object.defineProperty(globalThis, 'cloneProfCompile', { value: compileWaiting });

/**
 * An extension may compile no code from texts, but the host that drives its browser may: it is requested to call
 * `cloneProfCompile` in the service worker, as the console of DevTools would.
 */
function whenAsked<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    });
    const answered = get(servedUrl('compile'), { method: 'POST' });
    // Nothing happens if it has been compiled.
    answered.then(() => reject(new Error('the browser compiles nothing in this service worker')), reject);
  });
}

const compiling = <T>(work: () => T): T | Promise<T> => (isOfExtension ? whenAsked(work) : work());

/** Long enough to be seen in the counters of the system, which have steps of 10 ms. */
const BUSY_NS = 150e6;
/** Other processes of the browser may work just then; on a busy machine the page gets little of the time: longer each time. */
const MAX_TRIES = 16;
const LONGER = 1.3;
const MAX_TIMES = 8;

let found: Promise<void> | null = null;

/** A page cannot see the memory of its process: the host looks. @throws ToolError 'measure-failed' with the host's reason */
async function asked(question: string): Promise<number> {
  const response = await get(servedUrl(`memory/${question}`), { method: 'POST' });
  const { bytes, reason } = (await response.json()) as { bytes?: number; reason?: string };
  if (bytes === undefined) throw new ToolError('measure-failed', { detail: reason ?? 'no answer' });
  return bytes;
}

/** The host recognises the process by what it works between two questions. */
async function findProcess(): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await asked('idle');
    for (const end = now() + BUSY_NS * Math.min(MAX_TIMES, LONGER ** tries); now() < end; );
    if ((await asked('busy')) > 0) return;
  }
}

async function markPeakMemory(): Promise<PeakMemory> {
  found ??= findProcess();
  await found;
  await asked('reset');
  return { sample: () => undefined, bytes: () => asked('peak') };
}

/** The folder that is served to this guest; the bundles of the page and its workers lie in `guest/` below it. */
const { chrome } = globalThis as { chrome?: { runtime?: { getManifest?(): { homepage_url: string } } } };
/** A service worker is a file of its extension, whose manifest tells the folder. */
const root = new URL(chrome?.runtime?.getManifest?.().homepage_url ?? new URL('../', import.meta.url));

export const servedUrl = (path: string): string => new URL(path, root).href;

const isMainThread = 'document' in globalThis;

export const servedPage: Platform = {
  ...pagePlatform,
  peers: {
    ...toWorkers(webWorkers(startWebWorker)),
    ...(isMainThread && { ...frames(servedUrl('frame')), ...serviceWorkers, ...extensionPeers }),
  },
  local: { ...pagePlatform.local, ...databases },
  parentEndpoint: () =>
    isServiceWorker ? clientEndpoint() : isMainThread ? windowEndpoint(parent) : webParentEndpoint(),
  mayBlock: !isMainThread,
  sources: servedSources({
    ...{ servedUrl, moduleUrl: servedUrl },
    importText: isServiceWorker ? evaluated : (address) => import(address),
  }),
  compiling,
  markPeakMemory,
  watchReadBack,
};
