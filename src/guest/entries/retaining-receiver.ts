import { Keeper, type KeepStart } from '../measure/memory/retaining-receiver.ts';
import { farLane } from '../measure/peer/channel.ts';
import { ControlBlock } from '../measure/peer/instructions.ts';
import { groundHere } from '../platform/platform.ts';
import { guardProcess, sayingOf } from '../user-code/user-code.ts';

const ground = groundHere();
const home = ground.parentLane();

function begin({ contestant, far, memory }: KeepStart): void {
  try {
    const lane = farLane(far, ground, home);
    new Keeper(home, lane, new ControlBlock(memory), contestant);
    home.post(null);
  } catch (error) {
    home.post(sayingOf(error));
  }
}

guardProcess();
home.onMessage = (data) => begin(data as KeepStart);
