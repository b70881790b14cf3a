/** A page and its frame. */
import { type ChannelRows, PAGES } from '../common/row.ts';

export const window = {
  window: {
    of: PAGES,
    moves: true,
    cloned: 'within',
    words: 'to a window',
    lacking: 'only a page of a browser has windows, and posts to them from its main thread',
    call: 'frame.contentWindow.postMessage(MESSAGE, location.origin[, LIST]);',
  },
} as const satisfies ChannelRows;
