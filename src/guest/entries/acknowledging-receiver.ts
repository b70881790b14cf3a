import { EMPTY } from '../measure/loop/message-factory.ts';
import { type FarEnd, farEndpoint } from '../measure/peer/channel.ts';
import { currentPlatform } from '../platform/platform.ts';
import { guardProcess } from '../user-code/user-code.ts';

const ground = currentPlatform();
const home = ground.parentEndpoint();

/** Takes every message, as its listener gets it, and acknowledges it. */
function begin(far: FarEnd): void {
  const lane = farEndpoint(far, ground, home);
  lane.onMessage = () => lane.post(EMPTY);
  home.post(EMPTY);
}

guardProcess();
home.onMessage = (data) => begin(data as FarEnd);
