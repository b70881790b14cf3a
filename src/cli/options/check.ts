import { ToolError } from '../../model/errors.ts';
import { CHECK_FORMATS, type CheckFormat } from '../../model/gate/check.ts';
import type { SiteChoice } from '../../model/recording/recording.ts';
import { type Output, outputsOf } from './outputs.ts';
import { sitesOf } from './sites.ts';
import { type Fetching, fetchingOf, listOf, type Typed, textOf } from './typed.ts';
import { milliseconds, seedOf, splitRuntimes, totalOf } from './values.ts';

/** Options that `check` and `baseline` share, validated. */
export interface GateOptions extends Fetching, SiteChoice {
  payloads: string[];
  config: string | null;
  timeoutMs: number;
  /** What the baseline is to hold of the payloads themselves. */
  samples: 'plain' | 'masked' | null;
}

export interface CheckOptions extends GateOptions {
  outputs: Output<CheckFormat>[];
  budgetMs: number;
  /** For all limits together; null: each on time has its budget. */
  totalMs: number | null;
  accept: boolean;
  /** Instead of those of the config. */
  runtimes: string[] | null;
  /** The commit to compare with, as the user wrote it; null: the baseline. */
  base: string | null;
  /** Hash of a looser config than that of `base`, which may pass. */
  acceptConfig: string | null;
  init: boolean;
  /** Runners that the workflow of --init uses. */
  shards: number;
  shard: string | null;
  merge: string[] | null;
  /** Codecs that do not fit are written anew. */
  fixCodec: boolean;
  seed: number;
}

/** @throws ToolError 'usage' */
export function checkOptions({ args, flags }: Typed): CheckOptions {
  refuseUnfit(flags);
  const { runtimes, payloads: behind } = splitRuntimes(listOf(flags.runtime));
  const { outputs, payloads } = outputsOf(CHECK_FORMATS, listOf(flags.format), listOf(flags.output));
  return {
    ...gateOptions({ args: [...args, ...payloads, ...behind], flags }),
    runtimes: runtimes.length === 0 ? null : runtimes,
    outputs,
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    totalMs: totalOf(flags.total),
    accept: flags.accept === true,
    base: textOf(flags.base),
    acceptConfig: textOf(flags.acceptConfig),
    init: flags.init === true,
    shards: shardsOf(flags.shards),
    shard: textOf(flags.shard),
    merge: flags.merge === undefined ? null : listOf(flags.merge),
    fixCodec: flags.fixCodec === true,
    seed: seedOf(String(flags.seed)),
  };
}

/** Options that would be ignored beside each other: the user means something that does not happen. */
function refuseUnfit(flags: Typed['flags']): void {
  const given = (names: readonly string[]) => names.filter((name) => flags[name] !== undefined);
  const [first, second] = given(['init', 'merge', 'accept', 'shard']);
  const [unfixed] = flags.fixCodec === true ? given(['init', 'merge', 'accept', 'base']) : [];
  const [without] = flags.base === undefined ? [] : given(['init', 'merge', 'accept']);
  const detail =
    second !== undefined
      ? `--${first} cannot be combined with --${second}`
      : without !== undefined
        ? `--base cannot be combined with --${without}`
        : unfixed !== undefined
          ? `--fix-codec cannot be combined with --${unfixed}`
          : flags.acceptConfig !== undefined && flags.base === undefined
            ? '--accept-config is for --base'
            : flags.samples === true && flags.accept !== true
              ? '--samples is for check --accept, which writes the baseline'
              : flags.shards !== undefined && flags.init !== true
                ? '--shards is for check --init, which writes a workflow'
                : null;
  if (detail !== null) throw new ToolError('usage', { detail });
}

/** As many jobs as a matrix of GitHub may have. */
const MAX_SHARDS = 256;

function shardsOf(flag: unknown): number {
  if (flag === undefined) return 1;
  const shards = Number(/^\d+$/.exec(String(flag))?.[0]);
  if (shards >= 1 && shards <= MAX_SHARDS) return shards;
  throw new ToolError('usage', {
    detail: `--shards: '${flag}' is not a number of runners from 1 to ${MAX_SHARDS}`,
  });
}

/** @throws ToolError 'usage' */
export function gateOptions({ args, flags }: Typed): GateOptions {
  if (flags.mask === true && flags.samples !== true)
    throw new ToolError('usage', { detail: '--mask hides the texts of --samples. Give both' });
  return {
    payloads: args,
    config: textOf(flags.config),
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    ...fetchingOf(flags),
    ...sitesOf(flags),
    samples: flags.samples === true ? (flags.mask === true ? 'masked' : 'plain') : null,
  };
}
