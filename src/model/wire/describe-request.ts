import type { Channel, EngineName } from '../names.ts';
import type { Recipe } from '../recipe.ts';

/** Materialize, describe and confirm by posting once. */
export interface DescribeRequest {
  type: 'describe';
  recipe: Recipe;
  channel: Channel;
  /** 'when-cheap' omits that where it would take longer than the rest. */
  confirm: boolean | 'when-cheap';
  /** Also find out whether building it again gives another value. */
  twice?: boolean;
  /** Describe it as this engine would store it, which need not be the running one. */
  assume?: EngineName;
}
