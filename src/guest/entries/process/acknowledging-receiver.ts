/** The other end of a value that may be refused. No code of the user's runs here: what it cannot read ends it, as it ends a program. */
import { acknowledgeMessages } from '../../channel/acknowledge.ts';
import { givePlatform } from '../../platform/current.ts';
import { runningPlatform } from '../../platform/process/platforms.ts';

const platform = runningPlatform();
givePlatform(platform);
acknowledgeMessages(platform.parentEndpoint());
