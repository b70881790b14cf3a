/** Work of the bundle of a guest: its entry gives the platform, the probe and the way to the host. */
import type { RuntimeId } from '../model/documents/names.ts';
import type { NumberedRequest } from '../model/wire/wire.ts';
import { giveProbe, type RuntimeProbe } from '../probe/probe.ts';
import type { Connected, GuestLink } from './link/message-text.ts';
import { type Endpoint, givePlatform, noop, type Platform } from './platform/common/platform.ts';
import { answerRequests } from './requests.ts';
import { restoreBuiltIns } from './user-code/built-ins.ts';
import { surviveUserCode } from './user-code/user-code.ts';

/** Way to the host. */
interface Host {
  runtime: RuntimeId;
  /** @param beforeRequest called before each request is read */
  connect(beforeRequest: () => void): Connected;
  exit(): void;
}

/** @param host null for a thread that posts in place of another: it answers the guest that started it */
export function runGuest(platform: Platform, probe: RuntimeProbe, host: Host | null): void {
  givePlatform(platform);
  giveProbe(probe);
  surviveUserCode(platform);
  if (host === null) answerParent(platform.parentEndpoint());
  else answerHost(host);
}

function answerHost({ runtime, connect, exit }: Host): void {
  const { link, token } = connect(restoreBuiltIns);
  answerRequests(link, exit);
  link.send({ type: 'hello', token, runtime });
}

/** Answers one request, with separate workers. */
function answerParent(parent: Endpoint): void {
  const link: GuestLink = { send: (message) => parent.post(message), onMessage: noop };
  answerRequests(link, noop);
  parent.onMessage = (request) => link.onMessage(request as NumberedRequest);
}
