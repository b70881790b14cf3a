/** A page of a Chromium extension and its service worker, `chrome.runtime`. */
import { AS_JSON, type ChannelRow, type ChannelRows } from '../common/row.ts';

const IN_EXTENSION = {
  of: ['chromium'],
  elsewhere: true,
  ownSteps: true,
  thrower: 'chrome.runtime',
  lacking:
    'only Chromium has extensions of clone-prof: one that it started, and that sends from the main thread',
  call: 'port.postMessage(MESSAGE); // or chrome.runtime.sendMessage',
} as const satisfies Partial<ChannelRow>;

export const extension = {
  extension: { ...IN_EXTENSION, ...AS_JSON, words: 'over chrome.runtime, as JSON text' },
  'extension-clone': { ...IN_EXTENSION, cloned: 'beyond', words: 'over chrome.runtime, cloned' },
} as const satisfies ChannelRows;
