/** The peer at the other end of a load, and of a value that may be refused. */
import { acknowledgeMessages } from '../channel/acknowledge.ts';
import { currentPlatform } from '../platform/current.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

const platform = currentPlatform();
const parent = platform.parentEndpoint();
surviveUserCode(platform);
acknowledgeMessages(parent);
