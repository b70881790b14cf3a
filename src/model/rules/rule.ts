import type { Finding, UnknownOutcome, Verdict } from '../documents/classification.ts';
import type {
  Channel,
  CostClass,
  EngineName,
  Level,
  LibraryName,
  PathName,
  RULES_SCHEMA,
  RuntimeName,
} from '../names.ts';
import { groupedBy } from '../sums.ts';
import type { PlatformClassName } from '../vocabulary/platform-classes.ts';
import type { Flag, Kind } from '../vocabulary/shape.ts';

/** Positions in the payload that a rule applies to. */
export type RulePosition =
  | 'root' // the payload itself
  | 'root-value' // property value of a root object (depth 1)
  | 'element' // element of a root array (depth 1)
  | 'element-value' // property value of an object that is an element of a root array (depth 2)
  | 'nested' // anything below the root
  | 'in-collection' // a member of a Map or Set, at any depth
  | 'in-root' // a member of a Map or Set that is the payload, at any depth
  | 'outside' // all positions that are not in a Map or Set
  | 'any'; // everywhere, including the root

/** Condition on one row of facts. All its parts must hold. */
export interface When {
  kind?: Kind | readonly Kind[];
  all?: readonly Flag[];
  /** At least one flag of this list. */
  any?: readonly Flag[];
  none?: readonly Flag[];
  tag?: readonly string[];
  /** Facts.tag is not in this list. */
  notTag?: readonly string[];
  /** As `tag`, of an object of the platform. One with own properties is excluded: it was only given the prototype. */
  web?: readonly string[];
  parent?: readonly Kind[];
  /** Facts.tag is a class of this table, and posting its objects has all outcomes of `all` and no outcome of `none`. */
  posted?: { by: PlatformTable; all?: readonly PostOutcome[]; none?: readonly PostOutcome[] };
  /** Facts.size.max is at least / at most this. */
  sizeFrom?: number;
  sizeTo?: number;
  /** Elements of the array are at most this share of its length. */
  filledTo?: number;
  bytesFrom?: number;
  countFrom?: number;
  /** Shape.depth is at least this: the deepest nesting of the whole payload, independent of the row. */
  payloadDepthFrom?: number;
  /** Estimated size of the whole payload, once written, is at least this, in bytes. */
  payloadBytesFrom?: number;
  /** Shape.jsonBytes, the size of the whole payload as JSON text, is more than this. */
  payloadJsonFrom?: number;
  /** The strings of the whole payload have at least this many code units, so that its JSON text has more. */
  payloadTextFrom?: number;
}

/** Semver range per runtime; a runtime that is not named is excluded; absent = every runtime of the engine. */
export type Versions = Partial<Record<RuntimeName, string>>;

export interface Scope {
  runtimes?: Versions;
  channels?: readonly Channel[];
  /** Exceptions to `runtimes` and `channels`, so that later runtimes and channels are included. */
  exceptOn?: Versions;
  exceptOver?: readonly Channel[];
  /** Channels with separate rules that it holds on, too. */
  alsoOver?: readonly Channel[];
  /** True: the rule needs a non-empty transfer list; false: it needs a message without a transfer list. */
  transferring?: boolean;
}

interface Row {
  at: RulePosition | readonly RulePosition[];
  when: When | readonly When[];
  scope?: Scope;
  /** The rule applies if the payload in the end takes a path of this list. */
  on?: readonly PathName[];
  source: string;
}

/** A data row: if these facts hold, this follows, because of this source. It contains no functions. */
export interface Rule extends Row {
  /** "jsc/nested-value". Rows of one id have the same texts. The fixture `fixtures/payloads/<id with - for />.js` fires it. */
  id: string;
  level: Level;
  /**
   * Better paths of the root that it blocks. A rule with `at: 'any'` blocks them only if it fires at the root; deeper
   * in the payload it only adds cost. A rule with any other position always blocks the path of the root.
   */
  blocks?: readonly PathName[];
  /** Best cost class that a payload can have if the rule fires (the worst class of all fired rules wins). */
  costs?: CostClass;
  /**
   * Losses of the value at the path: each such value loses at least one kind of this list, and the rule applies to no
   * other value. Required for level lossy.
   */
  loses?: LossKind | readonly LossKind[];
  title: string;
  /** One or two sentences a working developer understands. */
  why: string;
  fix?: string;
  /** Advice for messages of worker libraries, and over channels, with a special way to do it. */
  fixIn?: Partial<Record<LibraryName | Channel, string>>;
  /** Remedies against it, in the order to try them. */
  remedies?: readonly string[];
}

/** Advice of a rule for a message of this library, over this channel; null if nothing can be done. */
export const fixOf = (
  { fix, fixIn = {} }: Pick<Rule, 'fix' | 'fixIn'>,
  channel: Channel,
  library?: LibraryName,
): string | null => (library && fixIn[library]) ?? fixIn[channel] ?? fix ?? null;

/** All advice of a rule, each text once, with the libraries and channels of special advice: "comlink: Wrap it ..." */
export function allFixes({ fix, fixIn = {} }: Pick<Rule, 'fix' | 'fixIn'>): string[] {
  const elsewhere = groupedBy(Object.entries(fixIn), ([, text]) => text);
  const special = [...elsewhere].map(
    ([text, places]) => `${places.map(([place]) => place).join(', ')}: ${text}`,
  );
  return fix === undefined ? special : [fix, ...special];
}

/**
 * A path that the engine may take for the root value. The first row whose `root` holds (and whose scope fits) is the
 * attainable path; if a rule that blocks it fires, or a version is too old, the payload takes `otherwise`.
 */
export interface PathRow {
  path: PathName;
  costs: CostClass;
  root: When | readonly When[];
  /** Further conditions on the elements of a root array: on one of them, on all of them (and at least one). */
  someElement?: When;
  everyElement?: When;
  scope?: Scope;
  /** Versions that have the path, for readers: in other versions a rule blocks it. */
  since?: Versions;
  /** Path that the engine takes if this path is blocked. Default: serializer. */
  otherwise?: PathName;
  title: string;
  why: string;
  source: string;
}

export type PathWording = Pick<PathRow, 'title' | 'why'>;

/** A fact that a verdict depends on and no API shows. It is named and counted, never guessed. */
export interface UnknownRow extends Row {
  what: string;
  on: readonly PathName[];
  /** Path of the payload if the unknown fact holds, and the rule that explains it. */
  otherwise?: UnknownOutcome;
}

/** Values whose memory the receiver uses too, instead of a copy of it. */
export type SharedRow = Row;

export interface Engine {
  name: EngineName;
  /** Paths, in decision order; the last row accepts every value. */
  paths: readonly PathRow[];
  rules: readonly Rule[];
  unknowns: readonly UnknownRow[];
  shares: readonly SharedRow[];
}

export interface Classification {
  verdict: Verdict;
  findings: Finding[];
}

/** A rule without its id. Parts that all rules of its table have in common may be absent. */
type RuleRow<Common> = Omit<Rule, 'id' | keyof Common> & Partial<Omit<Rule, 'id'>>;

/**
 * Rules by their ids, in this order. A loop: `map` in Bun gives later arrays its storage, and guests load this.
 *
 * @param common parts of all rules of the table; a rule may replace them
 * @param rows `also`: the rule holds there too, with these parts in place of its own
 */
export function ruleTable<Common extends Partial<Rule>>(
  common: Common,
  rows: Readonly<Record<string, RuleRow<Common> & { also?: readonly Partial<Rule>[] }>>,
): readonly Rule[] {
  const rules: Rule[] = [];
  for (const [id, { also = [], ...row }] of Object.entries(rows)) {
    const rule = { id, ...common, ...row } as unknown as Rule;
    rules.push(rule);
    for (const other of also) rules.push({ ...rule, ...other });
  }
  return rules;
}

interface ScopeView {
  /** Null: every version. */
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

/** The rule book of one runtime in printed form: fast paths, rules that break them, their versions and sources. */
export interface RuleBookView {
  schema: typeof RULES_SCHEMA;
  runtime: RuntimeName;
  /** Null: every version. */
  version: string | null;
  engine: EngineName;
  paths: PathView[];
  rules: RuleView[];
}

/** Meaning of a word in the tool's output. */
export interface Meaning {
  word: string;
  /** "rule, slow", "error, exit code 3". */
  kind: string;
  text: string;
  source?: string;
  /** Lines of code, or of a command. */
  example?: readonly string[];
}

/** Kinds of losses: rules name them in `Rule.loses`, and a comparison of values finds them. */
export const LOSS_KINDS = [
  'class', // the prototype
  'property', // own properties: under symbols, not enumerable, or on a built-in object
  'getter', // arrives as a plain value
  'attributes', // a property that was read-only, not configurable or not enumerable
  'integrity', // frozen, sealed, not extensible
  'value', // a different value arrives: its type or content differs, one object arrives as two, or two as one
  'result', // it arrives as an argument, and is refused as a result
  'delivery', // the message never arrives
] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

/** Problems with an entry of a transfer list. Each has a rule `spec/listed-...`. */
export const LISTED_REFUSALS = ['shared', 'detached', 'twice', 'fixed', 'other'] as const;
export type ListedRefusal = (typeof LISTED_REFUSALS)[number];

/** Outcomes of posting an object. */
export const POST_OUTCOMES = [
  'cloned', // a copy of it arrives
  'moved', // it arrives if it is in the transfer list, and the sender loses it
  'refused', // the post throws, whether it is listed or not
  'emptied', // {} arrives
  'lost', // the call does not throw, but the receiver gets null, or an event 'messageerror'
  'apart', // two references to one object arrive as two objects
  'other-class', // it arrives as an object of a different class
] as const;
export type PostOutcome = (typeof POST_OUTCOMES)[number];

/** Outcome in some versions over some channels. */
export interface PlatformPost {
  versions?: string;
  channels?: readonly Channel[];
  as: readonly PostOutcome[];
}

/**
 * The first row that fits holds; if none fits, it was not tested. A runtime without an entry lacks the class, as does
 * one with rows of stores alone.
 */
export type PlatformPosts = Partial<Readonly<Record<RuntimeName, readonly PlatformPost[]>>>;

export type PlatformTable = Readonly<Record<PlatformClassName, PlatformPosts>>;
