/** Work of the worker, frame or child process at the other end of messages. */
import { giveProbe, type RuntimeProbe } from '../probe/probe.ts';
import { acknowledgeMessages, type FarEnd } from './channel/channel.ts';
import { beginEcho } from './measure/peer/echo.ts';
import type { PeerStart } from './measure/peer/peer-session.ts';
import { currentPlatform, type Endpoint, givePlatform, type Platform } from './platform/common/platform.ts';
import { type RestoreRequest, restoreMessages } from './prove/restorer.ts';
import { surviveUserCode } from './user-code/user-code.ts';

/**
 * The first message to a peer says what it is for: to post back values that may be refused, to measure, or to restore.
 *
 * @param parent endpoint to the guest that started this peer
 */
export function answerGuest(parent: Endpoint): void {
  parent.onMessage = (data) => {
    const start = data as FarEnd | PeerStart | RestoreRequest;
    // User code does not run there: a message that it cannot read ends it, as it ends a program.
    if ('token' in start) acknowledgeMessages(parent, start);
    else surviveUserCode(currentPlatform());
    if ('far' in start) beginEcho(parent, start);
    else if ('proof' in start) restoreMessages(parent, start);
  };
}

/** Work of the bundle of a peer. */
export function runPeer(platform: Platform, probe: RuntimeProbe): void {
  givePlatform(platform);
  giveProbe(probe);
  answerGuest(platform.parentEndpoint());
}
