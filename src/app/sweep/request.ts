import type { Channel, LibraryName } from '../../model/names.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import type { DimensionName } from '../../model/vocabulary/sweep.ts';
import type { GuestTerms, Tools } from '../tools.ts';
import type { Preset } from './presets.ts';

export type SweepTools = Omit<Tools, 'contention'>;

/** A payload of the user's, or a published benchmark. */
export type Subject =
  | {
      kind: 'payload';
      sources: Source[];
      exports: string[] | null;
      via: LibraryName[];
      /** null: the largest part of the payload. */
      by: DimensionName | null;
      /** null: from about a hundredth to ten times the payload. */
      scale: { from: number; to: number } | null;
      steps: number;
    }
  | { kind: 'preset'; preset: Preset };

export interface SweepRequest extends GuestTerms {
  subject: Subject;
  runtimes: FoundRuntime[];
  /** null: the preset's own, or worker. */
  channels: Channel[] | null;
  /** ms for all sizes on one runtime over one channel. */
  budgetMs: number;
  /** For all runtimes and channels together; each gets at most `budgetMs`. */
  totalMs?: number | null;
  seed: number;
}
