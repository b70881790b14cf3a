import { EventEmitter } from 'node:events';
import { join } from 'node:path';
// No global in Deno before 2.4.
import { setImmediate } from 'node:timers';
import { openClone } from '../common/clone.ts';
import type { PeakMemory, Platform } from '../common/platform.ts';
import { webBroadcastEndpoint } from '../common/web.ts';
import { childStart } from './child-process.ts';
import { fileReader } from './file-reader.ts';
import { readFileSync, writeFileSync } from './files.ts';
import { type FreshUrl, moduleLoader } from './module-loader.ts';
import { openStorage } from './stored-file.ts';

/** Taken before user code loads: what is imported changes when fake timers replace it (`syncBuiltinESMExports`). */
const immediate = setImmediate;

/** What all runtimes share whose guests are processes with Node's API. */
export const processPlatform = (freshUrl: FreshUrl) =>
  ({
    peers: { 'ipc-json': childStart('json'), 'ipc-advanced': childStart('advanced') },
    local: { 'structured-clone': openClone, storage: openStorage },
    postingChangesValues: false,
    mayBlock: true,
    broadcastEndpoint: webBroadcastEndpoint,
    builtIns: [process, EventEmitter.prototype],
    sources: { ...fileReader(), ...moduleLoader(freshUrl) },
    turnOfEventLoop: () =>
      new Promise((resolve) => {
        immediate(resolve);
      }),
    compiling: (work) => work(),
    toolFolder: new URL('.', import.meta.url).href,
    markPeakMemory: () => linuxPeak() ?? sampledPeak(),
    onUncaught: (listener) => {
      process.on('uncaughtException', listener);
      process.on('unhandledRejection', listener);
    },
    printError: (text) => void process.stderr.write(`${text}\n`),
    writeFile: (folder, name, text) => writeFileSync(join(folder, name), text),
  }) satisfies Partial<Platform>;

const STATUS = '/proc/self/status';
const CLEAR_REFS = '/proc/self/clear_refs';
/** proc(5): "5" resets the peak resident set size to what is resident now. */
const RESET_PEAK = '5';

/** Linux has a peak that can be reset. Other systems have samples, and the peak since the process started. */
function linuxPeak(): PeakMemory | null {
  try {
    writeFileSync(CLEAR_REFS, RESET_PEAK);
    linuxPeakBytes();
    return { sample: () => undefined, bytes: linuxPeakBytes };
  } catch {
    return null;
  }
}

function linuxPeakBytes(): number {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(STATUS, 'latin1'));
  if (!found) throw new Error(`no VmHWM in ${STATUS}`);
  return Number(found[1]) * 1024;
}

/** `maxRSS` (kB) never falls: it counts only when it has risen since the watch began. */
function sampledPeak(): PeakMemory {
  const before = processPeak();
  let most = process.memoryUsage.rss();
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  return {
    sample,
    bytes: () => {
      sample();
      const peak = processPeak();
      return Math.max(most, peak > before ? peak : 0);
    },
  };
}

const processPeak = (): number => process.resourceUsage().maxRSS * 1024;
