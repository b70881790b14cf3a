import type { Channel, CostClass, EngineName, Level, PathName, RuleBookName, RuntimeName } from './names.ts';
import type { Facts, Flag, Kind, Shape } from './shape.ts';

/**
 * Where in the payload a rule looks.
 * - root: the payload itself
 * - root-value: property value of a root object (depth 1)
 * - element: element of a root array (depth 1)
 * - element-value: property value of an object that is an element of a root array (depth 2)
 * - nested: anything below the root
 * - any: everywhere, the root included
 */
export type Position = 'root' | 'root-value' | 'element' | 'element-value' | 'nested' | 'any';

/** Matched against one row of facts. Every given part must hold. */
export interface When {
  kind?: Kind | readonly Kind[];
  /** All of these flags. */
  all?: readonly Flag[];
  /** At least one of these flags. */
  any?: readonly Flag[];
  /** None of these flags. */
  none?: readonly Flag[];
  /** Facts.tag is one of these. */
  tag?: readonly string[];
  /** Facts.tag is none of these. */
  notTag?: readonly string[];
  parent?: readonly Kind[];
  /** Facts.size.max is at least / at most this. */
  sizeFrom?: number;
  sizeTo?: number;
  /** Facts.bytes.max is at least this. */
  bytesFrom?: number;
  /** Facts.count is at least this. */
  countFrom?: number;
  /** Shape.depth is at least this: the deepest nesting of the whole payload, whatever row is looked at. */
  payloadDepthFrom?: number;
}

/** Semver range per runtime; a runtime that is not named is not concerned; absent = every runtime of the engine. */
export type Versions = Partial<Record<RuntimeName, string>>;

export interface Scope {
  runtimes?: Versions;
  channels?: readonly Channel[];
  /** True: only with a non-empty transfer list; false: only without one. */
  transferring?: boolean;
}

/** A data row: when these facts hold, this follows, because of this source. No functions. */
export interface Rule {
  /** "jsc/nested-value". Unique. The fixture `fixtures/payloads/<id with - for />.js` fires it. */
  id: string;
  level: Level;
  at: Position | readonly Position[];
  /** At least one of these must hold. */
  when: When | readonly When[];
  scope?: Scope;
  /** Speaks only when the payload takes one of these paths in the end: what is copied anyway needs no second word. */
  on?: readonly PathName[];
  /**
   * The better paths of the root that it takes away. A rule `at: 'any'` takes them away only where the root itself
   * fires it; elsewhere in the payload it only costs. Any other position takes the root's path away wherever it fires.
   */
  blocks?: readonly PathName[];
  /** What the payload is reduced to, at best, when the rule fires (worst of all wins). */
  costs?: CostClass;
  /** One short name for tables: "object inside an object". */
  title: string;
  /** One or two sentences a working developer understands. */
  why: string;
  /** What to do instead, one sentence. */
  fix?: string;
  /** Remedies that answer it, in the order to try. */
  remedies?: readonly string[];
  /** Where it was read or seen. */
  source: string;
}

/**
 * A path that the engine may take for the root value. The first row whose `root` holds (and whose scope fits) is the
 * aspired path; if a rule that blocks it fires, or a version is too old, the payload takes `otherwise`.
 */
export interface PathRow {
  path: PathName;
  costs: CostClass;
  root: When | readonly When[];
  /** Further condition: at least one row at this position. */
  having?: { at: Position; when: When };
  /** Further condition: every row at this position (and at least one). */
  every?: { at: Position; when: When };
  scope?: Scope;
  /** What the engine does when it is blocked. Default: serializer. */
  otherwise?: PathName;
  title: string;
  why: string;
  source: string;
}

/** A fact that nobody can see from outside and on which a verdict rests: named and counted, never guessed. */
export interface UnknownRow {
  /** "delete-history" */
  what: string;
  at: Position | readonly Position[];
  when: When | readonly When[];
  scope?: Scope;
  /** Matters only when the payload takes one of these paths. */
  on: readonly PathName[];
  /** What the payload takes when the unknown turns out badly, and the rule that says why. */
  otherwise?: UnknownOutcome;
  title: string;
  source: string;
}

export interface UnknownOutcome {
  /** At the root: the path of the payload. Below: the path that such a value would take as a root. */
  path: PathName;
  class: CostClass;
  /** The rule (of level slow) that says why; null where nothing is to be done about it. */
  rule: string | null;
}

export interface Engine {
  name: EngineName;
  /** Decision order; the last row takes every value. */
  paths: readonly PathRow[];
  rules: readonly Rule[];
  unknowns: readonly UnknownRow[];
}

export interface RuleBook {
  name: RuleBookName;
  rules: readonly Rule[];
}

/** A rule that fired. No prose: words are on the rule. */
export interface Finding {
  rule: string;
  level: Level;
  /** The pattern (`$[*].geo`); equals `example` when there is one such value. */
  path: string;
  count: number;
  /** Concrete path of the first one. */
  example: string;
  /** Name of the kind or brand met, for the words ("Date", "Float64Array", "class Point"). */
  what?: string;
  /** Bytes concerned, where the fact has them: { meant, copied }. */
  bytes?: { meant: number; copied: number };
}

export interface Blocker {
  rule: string;
  path: string;
  count: number;
  example: string;
}

export interface Verdict {
  path: PathName;
  class: CostClass;
  /** What the engine's own oracle says; null where there is none or it did not answer. */
  confirmed: boolean | null;
  /** The fast path it would take if nothing blocked it; null when there is none for such a root. */
  aspired: PathName | null;
  blockers: Blocker[];
  /** Set when a newer version of the same runtime takes a better path: { since, path }. */
  upgrade: { since: string; path: PathName; class: CostClass } | null;
  /** Facts that the verdict would need and nobody can see; counted, not guessed. */
  unknowns: Unknown[];
  /** What the engine said when it refused the payload: "TypeError: nope" of a getter, a DataCloneError. */
  refusal?: string;
}

export interface Unknown {
  what: string;
  path: string;
  count: number;
  /** What an oracle may find instead, so that it can settle the question. */
  otherwise?: UnknownOutcome;
}

export interface Classification {
  verdict: Verdict;
  findings: Finding[];
}

export type { Facts, Shape };
