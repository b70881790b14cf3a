/**
 * Fetches what the tests need and the cache does not hold, side by side. Prints what it found as JSON for
 * CLONE_PROF_TEST_RUNTIMES, and on stderr what it fetches or cannot fetch.
 */
import { ToolError } from '../../src/model/errors.ts';
import type { BrowserName } from '../../src/model/names.ts';
import {
  fetchBrowser,
  fetchChromiumWithExtensions,
  fetchElectron,
  installAddon,
  installedElectron,
  mayLack,
  TEST_BROWSERS,
} from './fetched.ts';
import { FETCHED, provisioned, type RuntimesBySpec } from './runtimes.ts';
import { isWhole } from './whole.ts';

const SIDE_BY_SIDE = 3;

const found: RuntimesBySpec = {};

async function fetchRuntime(spec: string): Promise<void> {
  found[spec] = await provisioned(spec, { onNote: (note) => console.error(note) });
}

async function fetchOne(name: BrowserName): Promise<void> {
  const browser = await fetchBrowser(name);
  if (browser) found[name] = browser;
  else console.error(`${name}: its tests ${mayLack(name) ? 'are skipped' : 'fail'}`);
}

async function fetchLarge(): Promise<void> {
  const electron = await (isWhole ? fetchElectron() : installedElectron());
  if (electron) found.electron = electron;
  else console.error('electron: its tests are skipped: npm run test:whole fetches it, on Linux (x64)');
}

const waiting: [name: string, fetch: (name: string) => Promise<void>][] = [
  // Compiling it takes longest.
  ['v8-profiler-next', installAddon],
  ['electron', fetchLarge],
  ...TEST_BROWSERS.map((name) => [name, () => fetchOne(name)] as [string, typeof fetchRuntime]),
  ['chromium with extensions', fetchChromiumWithExtensions],
  ...FETCHED.map((spec) => [spec, fetchRuntime] as [string, typeof fetchRuntime]),
];

async function fetchWaiting(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, fetch] = next;
    try {
      await fetch(name);
    } catch (error) {
      const [reason, ...more] = String(error instanceof Error ? error.message : error).split('\n');
      console.error(`${name}: ${[reason, ...more.filter((line) => /error code/.test(line))].join(' ')}`);
      if (!(error instanceof ToolError && error.code === 'offline')) continue;
      // The others need the same registry.
      const dropped = waiting.splice(0).map(([other]) => other);
      if (dropped.length > 0) console.error(`not tried without a registry: ${dropped.join(', ')}`);
    }
  }
}

await Promise.all(Array.from({ length: SIDE_BY_SIDE }, fetchWaiting));
console.log(JSON.stringify(found));
