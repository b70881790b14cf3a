import './probe.ts';
import { givePlatform } from '../../src/guest/platform/current.ts';
import { runningPlatform } from '../../src/guest/platform/process/platforms.ts';

/** The platform of this process, given to the code of guests that a test calls here. */
export const platform = runningPlatform();

givePlatform(platform);
