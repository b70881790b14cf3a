/** The peer at the other end of a load, and of a value that may be refused. */
import { type FarEnd, farEndpoint } from '../channel/channel.ts';
import { EMPTY } from '../measure/variants/message-factory.ts';
import { currentPlatform } from '../platform/current.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

const platform = currentPlatform();
const parent = platform.parentEndpoint();

/** Acknowledges every message in its listener, and answers the token with itself. */
function begin(far: FarEnd): void {
  const endpoint = farEndpoint(far, parent);
  endpoint.onMessage = (data) => endpoint.post(data === far.token ? data : EMPTY);
  parent.post(EMPTY);
}

surviveUserCode(platform);
parent.onMessage = (data) => begin(data as FarEnd);
