import { ToolError } from '../../../src/model/errors.ts';
import type { Guest } from '../../../src/model/run/runtime.ts';
import type { Hello, NumberedRequest } from '../../../src/model/wire/wire.ts';
import { ConnectedGuest, type HostLink } from '../../../src/runtimes/guests/connected-guest.ts';

/** Node 20 has no Promise.withResolvers. */
function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A guest behind the checks of real ones that answers each request with these messages, in order. */
export function lyingGuest(hello: Hello, messagesFor: (request: NumberedRequest) => unknown[]): Guest {
  const closed = later<string | null>();
  const ended = later<ToolError>();
  const link: HostLink = {
    mostBytes: 0,
    onMessage: () => undefined,
    closed: closed.promise,
    close: () => closed.resolve(null),
    send: (request) => {
      if (request.type === 'exit') return body.kill();
      for (const message of messagesFor(request)) queueMicrotask(() => link.onMessage(message));
    },
  };
  const body = {
    kill: () => {
      closed.resolve(null);
      ended.resolve(new ToolError('guest-crashed', { detail: 'SIGKILL' }));
    },
    ended: ended.promise,
    excerpt: () => '',
  };
  return new ConnectedGuest(hello, link, body, { timeoutMs: 1000, asksToExit: false });
}
