/** The worker at the other end of messages whose memory is measured. */

import { farEndpoint } from '../channel/channel.ts';
import { RetainingReceiver, type RetainStart, restoreOf } from '../measure/memory/retaining-receiver.ts';
import { SharedInstructions } from '../measure/peer/instructions.ts';
import { currentPlatform } from '../platform/current.ts';
import { messageOf } from '../user-code/thrown.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

const platform = currentPlatform();
const parent = platform.parentEndpoint();

async function begin({ variant, via, far, memory }: RetainStart): Promise<void> {
  try {
    const endpoint = farEndpoint(far, parent);
    const shared = memory && new SharedInstructions(memory);
    const { collectGarbage } = platform;
    const restore = await restoreOf(variant, via);
    new RetainingReceiver({ parent, endpoint, shared, restore, collectGarbage });
    parent.post(null);
  } catch (error) {
    parent.post(messageOf(error));
  }
}

surviveUserCode(platform);
parent.onMessage = (data) => void begin(data as RetainStart);
