/** The rule book of one runtime as it is printed: what is fast there, what breaks it, since which version, by which source. */
import type { RULES_SCHEMA } from '../document-ids.ts';
import type { CostClass, EngineName, Level, PathName, RuntimeName } from '../names.ts';

export interface PathView {
  path: PathName;
  class: CostClass;
  title: string;
  why: string;
  /** Version range of the runtime; null: every version. */
  versions: string | null;
  channels: readonly string[] | null;
  /** What the engine does instead when the path is blocked. */
  otherwise: PathName;
  source: string;
}

export interface RuleView {
  id: string;
  level: Level;
  title: string;
  why: string;
  fix: string | null;
  blocks: readonly PathName[];
  costs: CostClass | null;
  remedies: readonly string[];
  versions: string | null;
  channels: readonly string[] | null;
  source: string;
}

export interface RuleBookView {
  schema: typeof RULES_SCHEMA;
  runtime: RuntimeName;
  /** Null: all versions. */
  version: string | null;
  engine: EngineName;
  /** In the order in which the engine decides. */
  paths: PathView[];
  rules: RuleView[];
}
