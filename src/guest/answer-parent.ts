import type { NumberedRequest } from '../model/wire/wire.ts';
import type { GuestLink } from './link/message-text.ts';
import { currentPlatform, type Endpoint, noop } from './platform/common/platform.ts';
import { answerRequests } from './requests.ts';
import { surviveUserCode } from './user-code/user-code.ts';

/** Runs in a worker of a page and posts in place of its main thread. It answers one request, with separate workers. */
export function answerParent(parent: Endpoint): void {
  surviveUserCode(currentPlatform());
  const link: GuestLink = {
    send: (message) => parent.post(message),
    onMessage: noop,
    closed: new Promise(noop),
    close: noop,
  };
  answerRequests(link, noop);
  parent.onMessage = (request) => link.onMessage(request as NumberedRequest);
}
