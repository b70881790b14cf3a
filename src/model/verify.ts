/** What `clone-prof verify` asks and says: does each rule hold on the very binaries that are here? */

import type { Channel, EngineName, PathName, RuleBookName } from './names.ts';
import type { Recipe } from './recipe.ts';
import type { Versions } from './rule.ts';

export const VERIFY_SCHEMA = 'clone-prof/verify@1';

/** A value on a rule and its twin one step off, as recipes that every runtime builds itself. */
export interface SpecimenPair {
  book: RuleBookName;
  /** Rule id ("jsc/nested-value"), or the path that the specimen takes. */
  of: { rule: string } | { path: PathName };
  channel: Channel;
  /** Where it means something; undefined: wherever the row is in force. */
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
  /** null: this runtime cannot tell (no oracle, a transfer, another process). Predictions are checked all the same. */
  holds: boolean | null;
  /** What the rule book says of the value and of its twin, and what the engine really did. */
  fires: Seen;
  nearMiss: Seen;
  /** Why it does not hold, in words; "" when it does. */
  why: string;
}

export interface Seen {
  predicted: PathName | null;
  /** Did the rule fire? */
  fired: boolean;
  confirmed: boolean | null;
  evidence: string;
}

export interface VerifyReport {
  schema: typeof VERIFY_SCHEMA;
  holds: boolean;
  results: VerifyResult[];
}
