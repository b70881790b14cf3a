/** What the gate is asked: made of the options and the config in one place, and the same on its whole way. */
import type { Contract } from '../../core/gate/contract.ts';
import type { SchemaChange } from '../../core/payload-schema/changes.ts';
import type { Baseline } from '../../model/documents/baseline.ts';
import type { BaseCommit, CheckInputs, Shard } from '../../model/documents/check.ts';
import type { CodecSchema, PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { ToolError } from '../../model/errors.ts';
import type { CheckEntry, NewPolicy, UndecidedPolicy } from '../../model/gate/limits.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import type { TriedRewrite } from '../../model/rules/tried.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import type { GuestTerms } from '../job/request.ts';

/** One entry of the config on one runtime over one channel: the unit that shards distribute. */
export interface CheckUnit {
  entry: CheckEntry;
  /** The runtime, as the config names it. */
  spec: string;
  channel: Channel;
}

export interface GateRequest extends GuestTerms {
  units: readonly CheckUnit[];
  /** Names of the payloads that were asked for; null: all of the config. */
  selected: readonly string[] | null;
  /** Files of an entry. */
  sources: ReadonlyMap<CheckEntry, Source[]>;
  /** What was found for each spec, or why nothing was. */
  runtimes: ReadonlyMap<string, FoundRuntime | ToolError>;
  /** Writes the text where guests can read it during the run; returns the path. */
  keepSample: (json: string) => Promise<string>;
}

export interface BaselineRequest extends GateRequest {
  /** Keep a copy of each payload: as it is, or with other texts. null: facts only. */
  samples: 'plain' | 'masked' | null;
}

export interface CheckRequest extends GateRequest {
  baseline: Baseline | null;
  /** Compares with another commit instead of the baseline. */
  base: BaseRequest | null;
  /** What the other side demands, and the config of now does not. */
  contract: Contract | null;
  configFile: string | null;
  /** What is said of new payloads: by the config of the other commit, if there is one. */
  newPolicy: NewPolicy;
  /** What a measured limit within the interval means. */
  undecided: UndecidedPolicy;
  /** ms for each limit on time. */
  budgetMs: number;
  /** For all limits on time together; each gets at most `budgetMs`. Null: no limit. */
  totalMs: number | null;
  seed: number;
  shard: Shard | null;
  inputs: CheckInputs;
  /** The rewrites that each word under `remedies` of the entries means. */
  tries: ReadonlyMap<string, readonly TriedRewrite[]>;
  codecs: CodecFiles;
  /** Line of the payload's file where the value at these keys and indices begins; null when it is not known. */
  lineOf: (recipe: Recipe, steps: readonly (string | number)[]) => number | null;
}

/** The same entries in another commit. */
export interface BaseRequest extends BaseCommit {
  /** The request with the sources of that commit; modules run in its folders. */
  request: GateRequest;
  /** Where its files are for now: a reader knows them by their names in the repository. */
  folder: string;
  /** Why the commit does not have what this entry has in this file now. */
  absence: (entry: CheckEntry, file: string) => Promise<Absence>;
  /** Are both built of equal bytes? False for modules: what they import may differ. */
  isSameFile: (now: Recipe, before: Recipe) => Promise<boolean>;
}

/** Why a side does not have a payload. */
export interface Absence {
  /**
   * `new`: the commit came before it. `lacking`: what it demands never was in git, or the baseline is older. `unread`: it has
   * the payload, or may have it, and it cannot be read there.
   */
  kind: 'new' | 'lacking' | 'unread';
  /** "it is a submodule" */
  reason?: string;
}

/** Codecs, by the file that an entry names, from the folder of the config. */
export type CodecFiles = Map<string, CodecFile>;

export interface CodecFile {
  /** Null for one that is to be written for the first time. */
  load(): Promise<LoadedCodec | null>;
  /** Writes it anew, and says why; null without --fix-codec. */
  rewrite: ((made: RewrittenCodec) => Promise<void>) | null;
}

export interface LoadedCodec {
  tried: TriedRewrite;
  /** Schema in the codec's last line. Null if it has none: it was not compiled. 'unreadable': somebody changed it. */
  madeOf: CodecSchema | null | 'unreadable';
}

export interface RewrittenCodec {
  schema: PayloadSchema;
  /** Schema of the codec before. */
  madeOf: CodecSchema | null;
  changes: readonly SchemaChange[];
  /** Sources of its payloads, each once. */
  sources: readonly Recipe['source'][];
}
