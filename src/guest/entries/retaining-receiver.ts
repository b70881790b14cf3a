import { RetainingReceiver, type RetainStart } from '../measure/memory/retaining-receiver.ts';
import { farEndpoint } from '../measure/peer/channel.ts';
import { SharedInstructions } from '../measure/peer/instructions.ts';
import { currentPlatform } from '../platform/platform.ts';
import { guardProcess, messageOf } from '../user-code/user-code.ts';

const ground = currentPlatform();
const home = ground.parentEndpoint();

function begin({ variant, far, memory }: RetainStart): void {
  try {
    const lane = farEndpoint(far, ground, home);
    new RetainingReceiver(home, lane, new SharedInstructions(memory), variant);
    home.post(null);
  } catch (error) {
    home.post(messageOf(error));
  }
}

guardProcess();
home.onMessage = (data) => begin(data as RetainStart);
