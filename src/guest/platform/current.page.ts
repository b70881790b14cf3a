import { ToolError } from '../../model/errors.ts';
import { openClone } from './common/clone.ts';
import { type Platform, toWorkers } from './common/platform.ts';
import { spawnWebWorker, webBroadcastEndpoint, webParentEndpoint, webPortEndpoint } from './common/web.ts';
import { databases } from './page/channels/database.ts';
import { extensionPeers } from './page/channels/extension.ts';
import { frames, windowEndpoint } from './page/channels/frame.ts';
import { markPeakMemory } from './page/peak-memory.ts';
import { watchReadBack } from './page/read-back.ts';
import { sources } from './page/sources.ts';

const isMainThread = 'document' in globalThis;

/** A page of any browser, and the workers and frames that it starts. */
const page: Platform = {
  peers: { ...toWorkers(spawnWebWorker), ...(isMainThread && { ...frames, ...extensionPeers }) },
  local: { 'structured-clone': openClone, ...databases },
  parentEndpoint: () => (isMainThread ? windowEndpoint(parent) : webParentEndpoint()),
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: webBroadcastEndpoint,
  postingChangesValues: false,
  mayBlock: !isMainThread,
  sources,
  collectGarbage: () => (globalThis as { gc?: () => void }).gc?.(),
  markPeakMemory,
  watchReadBack,
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

export const currentPlatform = (): Platform => page;
