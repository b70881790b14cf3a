import type { Shape } from '../documents/shape.ts';
import type { Channel, EngineName, PathName } from '../names.ts';
import type { Confirmation } from '../report/confirmation.ts';
import type { Recipe } from '../report/recipe.ts';
import type { RealLoss } from '../rules/loss.ts';

/** Materialize, describe and confirm by posting once. */
export interface DescribeRequest {
  type: 'describe';
  recipe: Recipe;
  channel: Channel;
  /** 'when-cheap' omits that where it would take longer than the rest. */
  confirm: boolean | 'when-cheap';
  /** Also find out whether building it again gives another value. */
  twice?: boolean;
  /** Instead: build it so many times more, and find out whether its facts change. */
  calls?: number;
  /** Describe it as this engine would store it, which need not be the running one. */
  assume?: EngineName;
}

/** Bytes of a message on one path, without shared memory; where a fast path hands values over, without their texts. */
export interface PathBytes {
  path: PathName;
  bytes: number;
}

export interface Described {
  type: 'described';
  shape: Shape;
  confirmation: Confirmation | null;
  /** Bytes of the message on each path that it may take; none where not asked for, or not possible. */
  message: PathBytes[];
  /** Message of the DataCloneError when the engine refused a real post. */
  rejected: string | null;
  /** Its transfer list: number of objects, and the bytes of its buffers; null without one. */
  transfer: { count: number; moved: number } | null;
  /** What a real post over the channel lost; null where none was made, or what arrived could not be seen. */
  losses: RealLoss[] | null;
  varies?: string | null; // with `twice`: where two builds differ, with `calls`: how; null where none does
}
