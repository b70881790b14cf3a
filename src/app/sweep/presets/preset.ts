import type { Folklore } from '../../../model/documents/sweep.ts';
import type { Channel, RuntimeName } from '../../../model/names.ts';
import type { DimensionName, PublishedFigure } from '../../../model/vocabulary/sweep.ts';

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
  /** The runtime that the figure is compared with, and the range of versions that work alike. */
  runtime: RuntimeName;
  versions: string;
  /** For a speedup: the versions whose time is divided by this one's. */
  over?: string;
}

/** A published benchmark to repeat here. */
export interface Preset {
  name: string;
  title: string;
  /** As published. */
  channel: Channel;
  series: readonly PresetSeries[];
  /** Strategies timed besides `raw`. */
  strategies: readonly string[];
  published: readonly PublishedRow[];
  folklore: Folklore | null;
}
