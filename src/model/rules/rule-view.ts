/** The rule book of one runtime in printed form: fast paths, rules that break them, their versions and sources. */
import type { RULES_SCHEMA } from '../document-ids.ts';
import type { CostClass, EngineName, RuntimeName } from '../names.ts';
import type { PathRow, Rule } from './rule.ts';

interface ScopeView {
  /** Version range of the runtime; null: every version. */
  versions: string | null;
  channels: readonly string[] | null;
}

export interface PathView
  extends ScopeView,
    Required<Pick<PathRow, 'path' | 'title' | 'why' | 'otherwise' | 'source'>> {
  class: CostClass;
}

export interface RuleView
  extends ScopeView,
    Required<Pick<Rule, 'id' | 'level' | 'title' | 'why' | 'blocks' | 'remedies' | 'source'>> {
  fix: string | null;
  costs: CostClass | null;
}

export interface RuleBookView {
  schema: typeof RULES_SCHEMA;
  runtime: RuntimeName;
  /** Null: all versions. */
  version: string | null;
  engine: EngineName;
  /** Paths, in the order that the engine tries them. */
  paths: PathView[];
  rules: RuleView[];
}
