import { type Platform, toWorkers } from '../common/platform.ts';
import { webParentEndpoint, webWorkers } from '../common/web.ts';
import { startWebWorker } from '../common/web-worker.ts';
import { databases } from './channels/database.ts';
import { extensionPeers } from './channels/extension.ts';
import { frames, windowEndpoint } from './channels/frame.ts';
import { compiling } from './compiling.ts';
import { importText } from './import-text.ts';
import { pagePlatform } from './page-platform.ts';
import { markPeakMemory } from './peak-memory.ts';
import { positionOf } from './position.ts';
import { watchReadBack } from './read-back.ts';
import { servedUrl } from './served.ts';
import { servedSources } from './sources.ts';

const isMainThread = 'document' in globalThis;

/** A page of any browser that the host serves, and the workers and frames that it starts. */
export const servedPage: Platform = {
  ...pagePlatform,
  peers: {
    ...toWorkers(webWorkers(startWebWorker)),
    ...(isMainThread && { ...frames, ...extensionPeers }),
  },
  local: { ...pagePlatform.local, ...databases },
  parentEndpoint: () => (isMainThread ? windowEndpoint(parent) : webParentEndpoint()),
  mayBlock: !isMainThread,
  sources: servedSources({ servedUrl, moduleUrl: servedUrl, positionOf, importText }),
  compiling,
  markPeakMemory,
  watchReadBack,
};
