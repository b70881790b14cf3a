import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Platform } from '../common/platform.ts';
import { webBroadcastEndpoint } from '../common/web.ts';
import { fileReader } from './file-reader.ts';
import { writeFileSync } from './files.ts';
import { type FreshUrl, moduleLoader } from './module-loader.ts';
import { markPeakMemory } from './peak-memory.ts';
import { shownPath, stackLocation } from './stack-location.ts';

type Shared =
  | 'spawnFrame'
  | 'broadcastEndpoint'
  | 'builtIns'
  | 'sources'
  | 'markPeakMemory'
  | 'onUncaught'
  | 'printError'
  | 'writeFile';

export const PROCESS_BUILT_INS: readonly object[] = [process, EventEmitter.prototype];

/** What all runtimes share whose guests are processes with Node's API. */
export const processPlatform = (freshUrl: FreshUrl): Pick<Platform, Shared> => ({
  spawnFrame: null,
  broadcastEndpoint: webBroadcastEndpoint,
  builtIns: PROCESS_BUILT_INS,
  sources: { ...fileReader, ...moduleLoader(freshUrl), stackLocation, shownPath },
  markPeakMemory,
  onUncaught: (listener) => {
    process.on('uncaughtException', listener);
    process.on('unhandledRejection', listener);
  },
  printError: (text) => void process.stderr.write(`${text}\n`),
  writeFile: (folder, name, text) => writeFileSync(join(folder, name), text),
});
