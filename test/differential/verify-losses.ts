/**
 * Told against real losses: every runtime, version and channel, pages of browsers too, 2,000 values each; where there is a transfer
 * list, as many values with one (with the built tool). Exit code 1 when one loss is untold or false.
 * usage: npm run verify:losses [-- --values N] [--seed N] [--runtime bun@1.4.5,node] [--channel worker,ipc-json]
 *   [--lists only: transfer lists alone]
 */
import { ENGINES } from '../../src/engines/index.ts';
import {
  type BrowserName,
  type Channel,
  ELECTRON_CHANNELS,
  EXTENSION_CHANNELS,
} from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { chromiumWithExtensions, TEST_BROWSERS } from '../support/fetched.ts';
import { missing, provisioned, runtime as runtimeHere } from '../support/runtimes.ts';
import { compareLosses, lossRunner, printedLoss } from './losses.ts';
import { compareLists } from './transfer-lists.ts';
import { listed, options, printed } from './verifying.ts';

const ALL = ['node@20.20.2', 'node@22.23.3', 'node@24.21.0', 'node@26.10.0', 'deno@2.8.3', 'deno@2.9.6'];
ALL.push(...['1.2.20', '1.2.22', '1.3.9', '1.3.14', '1.4.0', '1.4.5'].map((version) => `bun@${version}`));

/** The one that loads extensions, where a test has fetched it. */
const EXTENDED = 'chromium';
const extended = await chromiumWithExtensions();
if (extended !== null) ALL.push(EXTENDED);
ALL.push(...(['firefox', 'webkit'] as const).filter((name) => missing(name) === false));
const isBrowser = (spec: string): spec is BrowserName => TEST_BROWSERS.some((name) => name === spec);

const asked = options({ values: '2000', seed: '1', runtime: ALL.join(','), channel: '', lists: '' });
const [seed, count] = [Number(asked.seed), Number(asked.values)];

const OF_ALL: readonly Channel[] = ['worker', 'message-port', 'broadcast', 'structured-clone'];
/** Those that a process has: one end of each runs in another thread or process. */
const CHANNELS: readonly Channel[] = [...OF_ALL, 'ipc-json', 'ipc-advanced', 'storage'];
const OF_PAGES: readonly Channel[] = [...OF_ALL, 'window', 'service-worker', 'indexeddb'];
const OWN_CHANNELS: Readonly<Record<string, readonly Channel[]>> = {
  electron: [...ELECTRON_CHANNELS, 'electron-bridge'],
  [EXTENDED]: [...EXTENSION_CHANNELS, ...OF_PAGES],
  firefox: OF_PAGES,
  webkit: OF_PAGES,
};
const channelsOf = (spec: string) =>
  OWN_CHANNELS[spec] ?? (spec.startsWith('deno') ? [...CHANNELS, 'node-worker' as const] : CHANNELS);

async function found(spec: string): Promise<FoundRuntime> {
  if (spec === EXTENDED && extended !== null) return extended;
  return spec === 'electron' || isBrowser(spec)
    ? runtimeHere(spec)
    : provisioned(spec, { onNote: console.error });
}

async function verify(spec: string, channel: Channel): Promise<void> {
  const runtime = await found(spec);
  const runner = await lossRunner(channel, isBrowser(spec));
  try {
    const against = { runner, runtime, channel, engine: ENGINES[runtime.engine] };
    const comparison = await compareLosses(against, seed, count);
    const { values, lost, refused, alone, crashed, wrong } = comparison;
    const counts = { values, 'lose something': lost, refused, 'right only alone': alone, crashed };
    printed(`${spec} ${channel}`, counts, wrong.map(printedLoss));
  } finally {
    await runner.close();
  }
}

/** Of channels with a transfer list, those whose posts a script can see by itself. */
const LISTED: readonly Channel[] = ['message-port', 'structured-clone'];

async function verifyLists(spec: string, channel: Channel): Promise<void> {
  const { refused, moved, wrong } = await compareLists(await found(spec), channel, seed, count);
  const counts = { values: count, 'move something': moved, refused };
  printed(`${spec} ${channel}, with lists`, counts, wrong.map(printedLoss));
}

for (const spec of listed(asked.runtime))
  for (const channel of asked.channel === '' ? channelsOf(spec) : (listed(asked.channel) as Channel[])) {
    if (asked.lists === '') await verify(spec, channel);
    if (LISTED.includes(channel)) await verifyLists(spec, channel);
  }
