/** Where a walk stands. */
import type { Kind } from '../../model/shape.ts';
import type { TrailStep } from '../paths.ts';
import type { Place } from './ledger.ts';
import type { Row } from './rows.ts';

/** A container whose children are being walked. */
export interface Frame {
  kind: Kind;
  place: Place;
  depth: number;
  /** null: the index is the step. */
  steps: readonly TrailStep[] | null;
  values: readonly unknown[];
  cursor: number;
}

/** What was entered for an object when it was first met. */
export interface Known {
  depth: number;
  row: Row;
  size: number;
}

export interface Spot {
  place: Place;
  depth: number;
  parent: Kind | null;
}
