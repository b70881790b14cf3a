/** The config of the gate as the user writes it, and the type that an editor completes it with. */

import type { Channel, CostClass, LibraryName, Sender } from '../names.ts';
import type { LimitLevel, LimitName, NewPolicy, UndecidedPolicy } from './limits.ts';

/** A limit is a value (an error to break it), [level, value], or "off". */
type Written<T> = T | 'off' | [LimitLevel, T];

/** What each limit is written as: a size "64 kB", a growth over the baseline "+10%". */
interface LimitValues {
  class: Written<CostClass | 'baseline'>;
  maxBytes: Written<string>;
  maxNodes: Written<number | string>;
  maxDepth: Written<number | string>;
  maxAmplification: Written<number>;
  lossy: LimitLevel;
  rejected: LimitLevel;
  transfer: Written<'all'>;
  time: Written<string>;
  memory: Written<string>;
}

export type LimitsConfig = { [K in LimitName]?: LimitValues[K] | undefined };

export interface PayloadConfig {
  /** Name in reports and baseline. */
  id?: string | undefined;
  /** File or glob, from the folder of the config. */
  input: string;
  export?: string | undefined;
  as?: 'text' | 'bytes' | 'json' | undefined;
  /** node, bun@1.4, deno, the path of a binary. Default: those of the config. */
  runtimes?: string[] | undefined;
  /** How the payload travels. Default: those of the config. */
  channels?: (Channel | 'ipc')[] | undefined;
  /** The thread of a browser page that posts while time and memory are measured. Default: that of the config. */
  sender?: Sender | undefined;
  /** Library whose envelope goes around the payload. */
  via?: LibraryName | null | undefined;
  /** Paths of the buffers that the program puts on the transfer list. */
  transfer?: string[] | undefined;
  /** Rewrites of this payload, instead of those of the config. */
  remedies?: string[] | undefined;
  /** The payload's compiled codec, which must fit it: a module that `clone-prof codec` or `--emit` wrote. */
  codec?: string | undefined;
  /** Type of the payload, which `check --fix-codec` gives to the codec: "src/types.ts#Rows". */
  type?: string | undefined;
  limits?: LimitsConfig | undefined;
}

/** Content of clone-prof.config.{js,mjs,ts,json}, or of the "clone-prof" key of package.json. */
export interface Config {
  $schema?: string | undefined;
  extends?: 'recommended' | 'strict' | undefined;
  baseline?: string | undefined;
  /** Folder of the payloads that `baseline` makes from recordings. Default: clone-prof.fixtures. */
  fixtures?: string | undefined;
  /** Payloads that the baseline does not hold: an error (the default), or only told. */
  new?: NewPolicy | undefined;
  /** Measured limits that stay undecided: not passed, exit code 3 (the default), or only told. */
  undecided?: UndecidedPolicy | undefined;
  runtimes?: string[] | undefined;
  channels?: (Channel | 'ipc')[] | undefined;
  /** The thread of a browser page that posts: its main one (the default), or a worker. */
  sender?: Sender | undefined;
  /** Limits of all payloads. */
  limits?: LimitsConfig | undefined;
  /** Files, globs, or objects with more about each. */
  payloads?: (string | PayloadConfig)[] | undefined;
  /** Rewrites that must give back each payload equal: modules with `apply` and `restore`, "msgpackr", ... */
  remedies?: string[] | undefined;
}
