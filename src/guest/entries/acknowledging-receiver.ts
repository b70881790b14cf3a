/** The peer at the other end of a load, and of a value that may be refused. */
import { type FarEnd, farEndpoint } from '../channel/channel.ts';
import { EMPTY } from '../channel/empty.ts';
import { UNREADABLE } from '../channel/observed.ts';
import { currentPlatform } from '../platform/current.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

const platform = currentPlatform();
const parent = platform.parentEndpoint();

/** Acknowledges every message in its listener, or posts it back, and answers the token with itself. */
function begin(far: FarEnd): void {
  const endpoint = farEndpoint(far, parent);
  const acknowledge = (data: unknown) => endpoint.post(data === far.token ? data : EMPTY);
  const echo = (data: unknown) => {
    acknowledge(data);
    if (data === far.token) return;
    try {
      endpoint.post([data]);
    } catch {
      // It has arrived, and cannot be posted back: what only a transfer list moves.
    }
  };
  endpoint.onMessage = far.echoes ? echo : acknowledge;
  endpoint.onMessageError = () => far.echoes && endpoint.post(UNREADABLE);
  parent.post(EMPTY);
}

surviveUserCode(platform);
parent.onMessage = (data) => begin(data as FarEnd);
