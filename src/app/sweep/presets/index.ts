import { blogKeys } from './blog-keys.ts';
import { bunFlatObject, bunStrings } from './bun-post-message.ts';
import { bunArrays, bunObjects } from './bun-structured-clone.ts';
import type { Preset } from './preset.ts';

/** In the order of the help. */
export const PRESETS: readonly Preset[] = [bunStrings, bunFlatObject, bunArrays, bunObjects, blogKeys];

export const presetNamed = (name: string): Preset | null =>
  PRESETS.find((preset) => preset.name === name) ?? null;

export type { Preset } from './preset.ts';
