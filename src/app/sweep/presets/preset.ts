import type { Channel, RuntimeName } from '../../../model/names.ts';
import type { DimensionName, Folklore, PublishedFigure } from '../../../model/sweep.ts';

/** Sizes of one payload of a published benchmark. */
export interface PresetSeries {
  id: string;
  /** Sized specimen that the guest builds. */
  specimen: string;
  unit: DimensionName;
  sizes: readonly number[];
}

export interface PublishedRow extends PublishedFigure {
  series: string;
  size: number;
  /** Which of our runtimes is held against it: a name, and a range of versions that work alike. */
  runtime: RuntimeName;
  versions: string;
  /** For a speedup: the versions whose time is divided by this one's. */
  over?: string;
}

/** A published benchmark, to be done again here. */
export interface Preset {
  name: string;
  title: string;
  /** As published. */
  channel: Channel;
  series: readonly PresetSeries[];
  /** Sends the payload otherwise too: names of strategies. */
  strategies: readonly string[];
  published: readonly PublishedRow[];
  folklore: Folklore | null;
}
