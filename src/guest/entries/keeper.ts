import { groundHere } from '../measure/ground.ts';
import { Keeper, type KeepStart } from '../measure/memory-keep.ts';
import { ControlBlock } from '../measure/orders.ts';
import { farLane } from '../measure/way.ts';
import { guardProcess, sayingOf } from '../user-code.ts';

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
