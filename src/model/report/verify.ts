/** Types of `clone-prof verify`, which checks the rules against the binaries of this machine. */

import type { Channel, EngineName, PathName, RuleBookName, VERIFY_SCHEMA } from '../names.ts';
import type { PostOutcome, Versions } from '../rules/rule.ts';
import type { PlatformClassName } from '../vocabulary/platform-classes.ts';
import type { Recipe } from './recipe.ts';

/** A value that fires a rule and a near miss, as recipes that every runtime builds itself. */
export interface SpecimenPair {
  book: RuleBookName;
  /** Rule id ("jsc/nested-value"), or the path that the specimen takes. */
  of: { rule: string } | { path: PathName };
  channel: Channel;
  /** The same pair is also posted over another channel; the result names this channel. */
  isAlso?: boolean;
  /** Set if it replaces a channel that the runtime lacks: a rule about other channels need not fire there. */
  isElsewhere?: boolean;
  runtimes?: Versions;
  fires: Specimen;
  nearMiss: Specimen;
}

export interface Specimen {
  recipe: Recipe;
  /** True if the message has a transfer list. The oracle is not used then. */
  transferring: boolean;
}

export interface VerifyResult {
  runtime: string;
  engine: EngineName;
  rule: string;
  /** True if the rule covers this runtime. Otherwise it need not fire, and only the engine's answer counts. */
  inScope: boolean;
  /** null: the prediction was checked without the engine (no oracle, a transfer, another process). */
  holds: boolean | null;
  fires: Seen;
  nearMiss: Seen;
  why: string;
}

export interface Seen {
  predicted: PathName | null;
  /** Bytes of a string as stored; null for any other value. */
  bytes: number | null;
  fired: boolean | null;
  confirmed: boolean | null;
  /** Difference between predicted and real losses; "" if they agree or were not compared. */
  losses: string;
  evidence: string;
}

/** Outcome of posting objects of a platform class on a runtime over a channel: predicted by the table, and observed. */
export interface ObjectResult {
  runtime: string;
  class: PlatformClassName;
  channel: Channel;
  /** Prediction; null if the table does not have a row for it. */
  told: readonly PostOutcome[] | null;
  /** Observation; null if the runtime could not make an object. */
  seen: readonly PostOutcome[] | null;
  holds: boolean | null;
  why: string;
}

export interface VerifyReport {
  schema: typeof VERIFY_SCHEMA;
  holds: boolean;
  results: VerifyResult[];
  objects: ObjectResult[];
}
