/** The worker or child process at the other end of measured and profiled messages. */
import { acknowledgeMessages } from '../channel/acknowledge.ts';
import { answerVariants } from '../measure/peer/echo.ts';
import { currentPlatform } from '../platform/current.ts';
import { surviveUserCode } from '../user-code/user-code.ts';

const platform = currentPlatform();
const parent = platform.parentEndpoint();
surviveUserCode(platform);
answerVariants(parent);

// A service worker, which has no parent, is all of its extension's peers.
export { acknowledgeMessages, answerVariants };
