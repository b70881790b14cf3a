import { attempt } from '../../model/or-else.ts';
import type { Endpoint } from '../platform/common/platform.ts';
import { type FarEnd, farEndpoint } from './channel.ts';
import { EMPTY } from './empty.ts';
import { UNREADABLE } from './observed.ts';

/** Acknowledges every message in its listener, posts it back in a list, and answers the token with itself. */
function begin(far: FarEnd, parent: Endpoint): void {
  const endpoint = farEndpoint(far, parent);
  endpoint.onMessage = (data) => {
    endpoint.post(data === far.token ? data : EMPTY);
    // It has arrived. What only a transfer list moves cannot be posted back.
    if (data !== far.token) attempt(() => endpoint.post([data]));
  };
  endpoint.onMessageError = () => endpoint.post(UNREADABLE);
  parent.post(EMPTY);
}

/** The other end of a value that may be refused. */
export function acknowledgeMessages(parent: Endpoint): void {
  parent.onMessage = (data) => begin(data as FarEnd, parent);
}
