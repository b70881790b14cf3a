import { startEarly } from '../runtimes/process/driver.ts';
import { running } from '../runtimes/process/found-runtime.ts';

/**
 * Starts a guest for data, of the runtime that this code runs in, while the rest of the tool is loaded.
 *
 * @returns what ends it where nobody needed it
 */
export const earlyGuest = (cwd: string): (() => Promise<void>) => startEarly(running(), { cwd });
