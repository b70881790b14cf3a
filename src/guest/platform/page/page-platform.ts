import { ToolError } from '../../../model/errors.ts';
import { openClone } from '../common/clone.ts';
import type { Platform } from '../common/platform.ts';
import { webBroadcastEndpoint, webPortEndpoint } from '../common/web.ts';

// Taken before user code loads.
const print = console.error.bind(console);
const { port1, port2 } = new MessageChannel();
const waiting: (() => void)[] = [];

port2.onmessage = () => waiting.shift()?.();

/** Parts that pages and their workers share, with or without a server, and workers of workerd. */
export const pagePlatform = {
  local: { 'structured-clone': openClone },
  portEndpoint: webPortEndpoint,
  broadcastEndpoint: webBroadcastEndpoint,
  postingChangesValues: false,
  collectGarbage: () => (globalThis as { gc?: () => void }).gc?.(),
  /** A timer would wait 4 ms (HTML, timer initialisation steps). */
  turnOfEventLoop: () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port1.postMessage(null);
    }),
  compiling: (work) => work(),
  /** A guest that can measure its peak does not use this. */
  markPeakMemory: () => {
    throw new ToolError('measure-failed', { detail: 'it does not see the memory of its process' });
  },
  builtIns: [],
  onUncaught: (listener) => {
    addEventListener('error', ({ error }) => listener(error));
    addEventListener('unhandledrejection', ({ reason }) => listener(reason));
  },
  printError: (text) => print(text),
  writeFile: (file) => {
    throw new ToolError('output-unwritable', { file, detail: 'a page writes no files' });
  },
} satisfies Partial<Platform>;
