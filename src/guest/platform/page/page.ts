import { ToolError } from '../../../model/errors.ts';
import type { Platform } from '../common/platform.ts';
import { spawnWebWorker, webBroadcastEndpoint, webParentEndpoint, webPortEndpoint } from '../common/web.ts';
import { fileReader } from './file-reader.ts';
import { spawnFrame, windowEndpoint } from './frame.ts';
import { moduleLoader } from './module-loader.ts';
import { markPeakMemory } from './peak-memory.ts';

const isMainThread = 'document' in globalThis;

/** A page of any browser, and the workers and frames that it starts. */
export const page: Platform = {
  spawnWorker: spawnWebWorker,
  spawnNodeWorker: null,
  spawnChild: null,
  spawnFrame: isMainThread ? spawnFrame : null,
  parentEndpoint: () => (isMainThread ? windowEndpoint(parent) : webParentEndpoint()),
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: webBroadcastEndpoint,
  receiveOnPort: null,
  postingChangesValues: false,
  mayBlock: !isMainThread,
  sources: { ...fileReader, ...moduleLoader },
  watchGc: null,
  collectGarbage: () => (globalThis as { gc?: () => void }).gc?.(),
  markPeakMemory,
  createProfiler: null,
  builtIns: [],
  onUncaught: (listener) => {
    addEventListener('error', ({ error }) => listener(error));
    addEventListener('unhandledrejection', ({ reason }) => listener(reason));
  },
  printError: (text) => console.error(text),
  writeFile: (file) => {
    throw new ToolError('output-unwritable', { file, detail: 'a page writes no files' });
  },
};
