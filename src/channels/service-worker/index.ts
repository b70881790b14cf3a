/** A page and its service worker. */
import { type ChannelRows, PAGES } from '../common/row.ts';

export const serviceWorker = {
  'service-worker': {
    of: PAGES,
    moves: true,
    elsewhere: true,
    ownSteps: true,
    cloned: 'beyond',
    words: 'to a service worker',
    lacking:
      'only a page of https or of this machine has service workers, and posts to them from its main thread',
    call: 'navigator.serviceWorker.controller.postMessage(MESSAGE[, LIST]);',
  },
} as const satisfies ChannelRows;
