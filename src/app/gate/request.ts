/** Requests to the gate. They are made of the options and the config in one place, and do not change afterwards. */
import type { Contract } from '../../core/gate/contract.ts';
import type { SchemaChange } from '../../core/payload-schema/changes.ts';
import type { Baseline } from '../../model/documents/baseline.ts';
import type { BaseCommit, CheckInputs, Shard } from '../../model/documents/check.ts';
import type { CodecSchema, PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { ToolError } from '../../model/errors.ts';
import type { NewPolicy, UndecidedPolicy } from '../../model/gate/limits.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/tried.ts';
import type { CheckEntry } from '../../model/run/check-config.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import type { GuestTerms } from '../job/request.ts';

/** One entry of the config on one runtime over one channel: the unit that shards distribute. */
export interface CheckUnit {
  entry: CheckEntry;
  /** Name of the runtime in the config. */
  spec: string;
  channel: Channel;
}

export interface GateRequest extends GuestTerms {
  units: readonly CheckUnit[];
  /** Names of the requested payloads; null: all payloads of the config. */
  selected: readonly string[] | null;
  /** Sources of each entry. */
  sources: ReadonlyMap<CheckEntry, Source[]>;
  /** Runtime for each spec, or the error if it was not found. */
  runtimes: ReadonlyMap<string, FoundRuntime | ToolError>;
  /** Writes the text where guests can read it during the run; returns the path. */
  keepSample: (json: string) => Promise<string>;
}

export interface BaselineRequest extends GateRequest {
  /** Keep a copy of each payload, unchanged or with masked texts. null: facts only. */
  samples: 'plain' | 'masked' | null;
}

export interface CheckRequest extends GateRequest {
  baseline: Baseline | null;
  /** Commit to compare with instead of the baseline. */
  base: BaseRequest | null;
  /** Demands of the other side that the current config drops or loosens. */
  contract: Contract | null;
  configFile: string | null;
  /** Policy for new payloads, from the config of the other commit if there is a commit. */
  newPolicy: NewPolicy;
  /** What the config says it has removed, and whether the command allows it. */
  removed: { names: readonly string[]; isAllowed: boolean };
  /** Policy for a measured limit that is within the interval. */
  undecided: UndecidedPolicy;
  /** Time in ms for each limit on time. */
  budgetMs: number;
  /** Time in ms for all limits on time together; each gets at most `budgetMs`. Null: unlimited. */
  totalMs: number | null;
  seed: number;
  /** True if paths in results keep keys that look like data. */
  keys: boolean;
  shard: Shard | null;
  inputs: CheckInputs;
  /** Rewrites for each word under `remedies` of the entries. */
  tries: ReadonlyMap<string, readonly TriedRewrite[]>;
  codecs: CodecFiles;
  /** Line of the payload's file on which the value at these keys and indices begins; null if it is not known. */
  lineOf: (recipe: Recipe, steps: readonly (string | number)[]) => number | null;
}

/** The same entries in another commit. */
export interface BaseRequest extends BaseCommit {
  /** The request with the sources of that commit; modules run in its folders. */
  request: GateRequest;
  /** Temporary folder of its files. Messages show their names in the repository instead. */
  folder: string;
  /** Returns why the commit does not have the payloads that this file has now. */
  absence: (entry: CheckEntry, file: string) => Promise<Absence>;
  /** True if both are built of equal bytes. False for modules, because their imports may differ. */
  isSameFile: (now: Recipe, before: Recipe) => Promise<boolean>;
}

/** Reason why a side does not have a payload. */
export interface Absence {
  /**
   * `new`: the payload is newer than the commit. `lacking`: the commit demands a file that is not in git, or the
   * baseline is older. `unread`: the commit has or may have the payload, but it cannot be read there.
   */
  kind: 'new' | 'lacking' | 'unread';
  /** "it is a submodule" */
  reason?: string;
}

/** Codecs by the file that an entry names, relative to the folder of the config. */
export type CodecFiles = Map<string, CodecFile>;

export interface CodecFile {
  /** Null if the codec does not exist yet. */
  load(): Promise<LoadedCodec | null>;
  /** Writes the codec again and reports the reason; null without --fix-codec. */
  rewrite: ((made: RewrittenCodec) => Promise<void>) | null;
}

export interface LoadedCodec {
  tried: TriedRewrite;
  /** Schema in the codec's last line. Null if the codec was not compiled. 'unreadable' if the line was edited. */
  madeOf: CodecSchema | null | 'unreadable';
}

export interface RewrittenCodec {
  schema: PayloadSchema;
  /** Schema of the previous codec. */
  madeOf: CodecSchema | null;
  changes: readonly SchemaChange[];
  /** Distinct sources of the payloads. */
  sources: readonly Recipe['source'][];
}
