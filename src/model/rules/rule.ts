import type { Finding, UnknownOutcome, Verdict } from '../documents/classification.ts';
import type {
  Channel,
  CostClass,
  EngineName,
  Level,
  LibraryName,
  PathName,
  RuleBookName,
  RuntimeName,
} from '../names.ts';
import type { Flag, Kind } from '../vocabulary/shape.ts';
import type { LossKind } from './loss.ts';
import type { PlatformTable, PostOutcome } from './platform-posts.ts';

/**
 * Where in the payload a rule looks.
 * - root: the payload itself
 * - root-value: property value of a root object (depth 1)
 * - element: element of a root array (depth 1)
 * - element-value: property value of an object that is an element of a root array (depth 2)
 * - nested: anything below the root
 * - in-collection: what a Map or Set has, at any depth; outside: all else
 * - any: everywhere, the root included
 */
export type RulePosition =
  | 'root'
  | 'root-value'
  | 'element'
  | 'element-value'
  | 'nested'
  | 'in-collection'
  | 'outside'
  | 'any';

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
  /** Facts.tag is a class of this table, and an object of it is posted with all of these outcomes and none of those. */
  posted?: { by: PlatformTable; all?: readonly PostOutcome[]; none?: readonly PostOutcome[] };
  /** Facts.size.max is at least / at most this. */
  sizeFrom?: number;
  sizeTo?: number;
  /** Facts.bytes.max is at least this. */
  bytesFrom?: number;
  /** Facts.count is at least this. */
  countFrom?: number;
  /** Shape.depth is at least this: the deepest nesting of the whole payload, whatever row is looked at. */
  payloadDepthFrom?: number;
  /** The whole payload, written out, is estimated to have at least this many bytes. */
  payloadBytesFrom?: number;
  /** Shape.jsonBytes is more than this: the JSON text of the whole payload. */
  payloadJsonFrom?: number;
  /** The strings of the whole payload have at least this many code units: its JSON text has more. */
  payloadTextFrom?: number;
}

/** Semver range per runtime; a runtime that is not named is excluded; absent = every runtime of the engine. */
export type Versions = Partial<Record<RuntimeName, string>>;

export interface Scope {
  runtimes?: Versions;
  channels?: readonly Channel[];
  /** What is otherwise meant, and does not count: a later runtime or channel is meant too. */
  exceptOn?: Versions;
  exceptOver?: readonly Channel[];
  /** Channels of rules of their own on which it holds too. */
  alsoOver?: readonly Channel[];
  /** True: only with a non-empty transfer list; false: only without one. */
  transferring?: boolean;
}

interface Row {
  at: RulePosition | readonly RulePosition[];
  /** At least one of these must hold. */
  when: When | readonly When[];
  scope?: Scope;
  /** Only when the payload takes one of these paths in the end. */
  on?: readonly PathName[];
  /** Where it was read or seen. */
  source: string;
}

/** A data row: when these facts hold, this follows, because of this source. No functions. */
export interface Rule extends Row {
  /** "jsc/nested-value". Unique. The fixture `fixtures/payloads/<id with - for />.js` fires it. */
  id: string;
  level: Level;
  /**
   * Better paths of the root that it blocks. A rule `at: 'any'` blocks them only where the root itself fires it;
   * elsewhere in the payload it only costs. At any other position it blocks the root's path wherever it fires.
   */
  blocks?: readonly PathName[];
  /** What the payload is reduced to, at best, when the rule fires (worst of all wins). */
  costs?: CostClass;
  /**
   * What the value at the path loses on arrival: each such value loses one of these kinds of things, and no other value
   * does by this rule. Every rule of level lossy has it.
   */
  loses?: LossKind | readonly LossKind[];
  /** One short name for tables: "object inside an object". */
  title: string;
  /** One or two sentences a working developer understands. */
  why: string;
  /** What to do instead, one sentence. */
  fix?: string;
  /** What to do instead in messages of a worker library that has a way of its own. */
  fixIn?: Partial<Record<LibraryName, string>>;
  /** Remedies that answer it, in the order to try. */
  remedies?: readonly string[];
}

/**
 * A path that the engine may take for the root value. The first row whose `root` holds (and whose scope fits) is the
 * attainable path; if a rule that blocks it fires, or a version is too old, the payload takes `otherwise`.
 */
export interface PathRow {
  path: PathName;
  costs: CostClass;
  root: When | readonly When[];
  /** Further condition: at least one row at this position. */
  having?: { at: RulePosition; when: When };
  /** Further condition: every row at this position (and at least one). */
  every?: { at: RulePosition; when: When };
  scope?: Scope;
  /** What the engine does when it is blocked. Default: serializer. */
  otherwise?: PathName;
  title: string;
  why: string;
  source: string;
}

/** A fact that no API tells and on which a verdict rests: named and counted, never guessed. */
export interface UnknownRow extends Row {
  /** "delete-history" */
  what: string;
  on: readonly PathName[];
  /** The path when the unknown fact holds, and the rule that says why. */
  otherwise?: UnknownOutcome;
}

/** Values whose memory the receiver uses too, instead of a copy of it. */
export type SharedRow = Row;

export interface Engine {
  name: EngineName;
  /** In decision order; the last row accepts every value. */
  paths: readonly PathRow[];
  rules: readonly Rule[];
  unknowns: readonly UnknownRow[];
  shares: readonly SharedRow[];
}

export interface RuleBook {
  name: RuleBookName;
  rules: readonly Rule[];
}

export interface Classification {
  verdict: Verdict;
  findings: Finding[];
}
