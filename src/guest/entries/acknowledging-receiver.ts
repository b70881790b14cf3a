import { EMPTY } from '../measure/loop/message-factory.ts';
import { type FarEnd, farLane } from '../measure/peer/channel.ts';
import { groundHere } from '../platform/platform.ts';
import { guardProcess } from '../user-code/user-code.ts';

const ground = groundHere();
const home = ground.parentLane();

/** Takes every message, as its listener gets it, and acknowledges it. */
function begin(far: FarEnd): void {
  const lane = farLane(far, ground, home);
  lane.onMessage = () => lane.post(EMPTY);
  home.post(EMPTY);
}

guardProcess();
home.onMessage = (data) => begin(data as FarEnd);
