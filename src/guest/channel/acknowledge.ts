import type { Endpoint } from '../platform/common/platform.ts';
import { type FarEnd, farEndpoint } from './channel.ts';
import { EMPTY } from './empty.ts';
import { UNREADABLE } from './observed.ts';

/** Acknowledges every message in its listener, or posts it back, and answers the token with itself. */
function begin(far: FarEnd, parent: Endpoint): void {
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

/** The other end of a value that may be refused. */
export function acknowledgeMessages(parent: Endpoint): void {
  parent.onMessage = (data) => begin(data as FarEnd, parent);
}
