/** The peer that receives a value that may be refused. */
import { acknowledgeMessages } from '../channel/acknowledge.ts';
import { currentPlatform } from '../platform/current.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

const platform = currentPlatform();
const parent = platform.parentEndpoint();
surviveUserCode(platform);
acknowledgeMessages(parent);
