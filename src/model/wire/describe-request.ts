import type { Shape } from '../documents/shape.ts';
import type { Channel, EngineName } from '../names.ts';
import type { Confirmation } from '../report/confirmation.ts';
import type { Recipe } from '../report/recipe.ts';

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

export interface Described {
  type: 'described';
  shape: Shape;
  confirmation: Confirmation | null;
  /** Bytes on the wire, from the engine's own serializer, where asked for and possible. */
  wireBytes: number | null;
  /** Message of the DataCloneError when the engine refused a real post. */
  rejected: string | null;
  varies?: string | null; // with `twice`: where two builds differ; null where none was seen
}
