/** Types of `clone-prof verify`: does each rule hold on the binaries of this machine? */

import type { VERIFY_SCHEMA } from '../document-ids.ts';
import type { Channel, EngineName, PathName, RuleBookName } from '../names.ts';
import type { PostOutcome } from '../rules/platform-posts.ts';
import type { Versions } from '../rules/rule.ts';
import type { PlatformClassName } from '../vocabulary/platform-classes.ts';
import type { Recipe } from './recipe.ts';

/** A value that fires a rule and a near miss, as recipes that every runtime builds itself. */
export interface SpecimenPair {
  book: RuleBookName;
  /** Rule id ("jsc/nested-value"), or the path that the specimen takes. */
  of: { rule: string } | { path: PathName };
  channel: Channel;
  /** The same pair is posted over another channel too: this one is named in the result. */
  isAlso?: boolean;
  /** In place of a channel that the runtime does not have: a rule that is about others need not fire there. */
  isElsewhere?: boolean;
  /** Where it applies; undefined: wherever the row applies. */
  runtimes?: Versions;
  fires: Specimen;
  nearMiss: Specimen;
}

export interface Specimen {
  recipe: Recipe;
  /** The message goes with a transfer list; the oracle is not asked then. */
  transferring: boolean;
}

export interface VerifyResult {
  runtime: string;
  engine: EngineName;
  rule: string;
  /** The rule is about this runtime. Elsewhere it need not fire; only the engine's answer counts. */
  inScope: boolean;
  /** null: the engine was not asked (no oracle, a transfer, another process); only the prediction was checked. */
  holds: boolean | null;
  /** The prediction of the rule book, and what the engine did. */
  fires: Seen;
  nearMiss: Seen;
  /** Why it does not hold; "" when it does. */
  why: string;
}

export interface Seen {
  predicted: PathName | null;
  /** Bytes of a string as stored; null for any other value. */
  bytes: number | null;
  /** Did the rule fire? null: only the engine can tell, and it did not this time. */
  fired: boolean | null;
  confirmed: boolean | null;
  /** How told and real losses differ; "" when they do not, or were not compared. */
  losses: string;
  evidence: string;
}

/** What a runtime does with objects of a class of the platform over a channel: by the table, and as it was seen. */
export interface ObjectResult {
  runtime: string;
  class: PlatformClassName;
  channel: Channel;
  /** null: no row of the table is about it. */
  told: readonly PostOutcome[] | null;
  /** null: the runtime could not make one. */
  seen: readonly PostOutcome[] | null;
  /** null: there is nothing to compare. */
  holds: boolean | null;
  /** What was lost that the table does not tell. */
  why: string;
}

export interface VerifyReport {
  schema: typeof VERIFY_SCHEMA;
  holds: boolean;
  results: VerifyResult[];
  /** Empty where no objects were to be posted. */
  objects: ObjectResult[];
}
