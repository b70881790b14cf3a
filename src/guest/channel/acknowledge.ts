import { attempt } from '../../model/or-else.ts';
import type { Endpoint } from '../platform/common/platform.ts';
import { type FarEnd, farEndpoint } from './channel.ts';
import { EMPTY } from './empty.ts';
import { UNREADABLE } from './observed.ts';

/**
 * The other end of values that may be refused: acknowledges every message in its listener, posts it back in a list, and answers
 * the token with itself.
 */
export function acknowledgeMessages(parent: Endpoint, far: FarEnd): void {
  const endpoint = farEndpoint(far, parent);
  endpoint.onMessage = (data) => {
    endpoint.post(data === far.token ? data : EMPTY);
    // It has arrived. What only a transfer list moves cannot be posted back.
    if (data !== far.token) attempt(() => endpoint.post([data]));
  };
  endpoint.onMessageError = () => endpoint.post(UNREADABLE);
  parent.post(EMPTY);
}
