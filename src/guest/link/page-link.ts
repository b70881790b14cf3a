import type { NumberedRequest } from '../../model/wire/wire.ts';
import { type Connected, type GuestLink, writeMessage } from './message-text.ts';

// Taken before user code can replace them.
const { parse } = JSON;
const post = fetch;

/**
 * Connects a page to the host that served it: requests come down as events of `events`, answers go up as POSTs to
 * `answers`, one at a time so that they stay in order. User code in the page can post there too (link/process-link.ts).
 */
export function connectPage(root: URL, beforeRequest: () => void): Connected & { closed: Promise<unknown> } {
  const events = new EventSource(new URL('events', root));
  let posted: Promise<unknown> = Promise.resolve();
  const link: GuestLink = {
    send: (message) => {
      const body = writeMessage(message);
      posted = posted
        .then(() => post(new URL('answers', root), { method: 'POST', body }))
        .catch(() => events.close());
    },
    onMessage: () => undefined,
  };
  const closed = new Promise((resolve) => {
    events.onerror = () => {
      events.close();
      resolve(null);
    };
  });
  events.onmessage = ({ data }: MessageEvent<string>) => {
    beforeRequest();
    link.onMessage(parse(data) as NumberedRequest);
  };
  return { link, token: root.pathname.slice(1, -1), closed };
}
