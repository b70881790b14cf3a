import { EMPTY } from '../measure/form.ts';
import { groundHere } from '../measure/ground.ts';
import { type FarEnd, farLane } from '../measure/way.ts';
import { guardProcess } from '../user-code.ts';

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
