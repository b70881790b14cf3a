/** Work of the worker, frame or child process at the other end of messages. */
import { giveProbe, type RuntimeProbe } from '../engines/probe/probe.ts';
import { acknowledgeMessages, type EchoStart } from './channel/channel.ts';
import { beginEcho } from './measure/peer/echo.ts';
import type { PeerStart } from './measure/peer/peer-session.ts';
import {
  currentPlatform,
  type Endpoint,
  givePlatform,
  type OtherEnd,
  openEnd,
  type Platform,
} from './platform/common/platform.ts';
import { type RestoreRequest, restoreMessages } from './prove/restorer.ts';
import { surviveUserCode } from './user-code/user-code.ts';

/**
 * A message to a peer says what it is for: to post back values that may be refused, to measure, or to restore. The message
 * before opens another channel for what is posted back or measured.
 *
 * @param parent endpoint to the guest that started this peer
 */
export function answerGuest(parent: Endpoint): void {
  let endpoint = parent;
  parent.onMessage = (data) => {
    const start = data as OtherEnd | EchoStart | PeerStart | RestoreRequest;
    if ('port' in start || 'broadcast' in start) {
      endpoint = openEnd(start);
      return;
    }
    // User code does not run there: a message that it cannot read ends it, as it ends a program.
    if ('acknowledges' in start) return acknowledgeMessages(parent, endpoint, start.acknowledges);
    surviveUserCode(currentPlatform());
    if ('proof' in start) restoreMessages(parent, start);
    else beginEcho(parent, start, endpoint);
  };
}

export function runPeer(platform: Platform, probe: RuntimeProbe): void {
  givePlatform(platform);
  giveProbe(probe);
  answerGuest(platform.parentEndpoint());
}
