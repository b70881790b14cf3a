/** The thread that is recorded: what the entry of its runtime gives, before anything is recorded. Each has one recorder. */
import type { TapSettings } from '../../model/recording/settings.ts';
import type { TapPlatform } from './platform.ts';

export let platform: TapPlatform;
export let settings: TapSettings;
/** As `counters.ts` lays them out. */
export let counters: Float64Array;

export function giveThread(...given: [TapPlatform, TapSettings, Float64Array]): void {
  [platform, settings, counters] = given;
}
