import { CHECK_FORMATS, type CheckFormat } from '../../model/check.ts';
import { ToolError } from '../../model/errors.ts';
import { type Output, outputsOf } from './outputs.ts';
import { type Fetching, fetchingOf, listOf, type Typed, textOf } from './typed.ts';
import { milliseconds, seedOf } from './values.ts';

/** Options that `check` and `baseline` share, validated. */
export interface GateOptions extends Fetching {
  payloads: string[];
  config: string | null;
  timeoutMs: number;
  /** What the baseline is to hold of the payloads themselves. */
  samples: 'plain' | 'masked' | null;
}

export interface CheckOptions extends GateOptions {
  outputs: Output<CheckFormat>[];
  budgetMs: number;
  accept: boolean;
  init: boolean;
  shard: string | null;
  merge: string[] | null;
  seed: number;
}

/** @throws ToolError 'usage' */
export function checkOptions({ args, flags }: Typed): CheckOptions {
  refuseUnfit(flags);
  const { outputs, payloads } = outputsOf(CHECK_FORMATS, listOf(flags.format), listOf(flags.output));
  return {
    ...gateOptions({ args: [...args, ...payloads], flags }),
    outputs,
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    accept: flags.accept === true,
    init: flags.init === true,
    shard: textOf(flags.shard),
    merge: flags.merge === undefined ? null : listOf(flags.merge),
    seed: seedOf(String(flags.seed)),
  };
}

/** Options that would be ignored beside each other: the user means something that does not happen. */
function refuseUnfit(flags: Typed['flags']): void {
  const [first, second] = ['init', 'merge', 'accept', 'shard'].filter((name) => flags[name] !== undefined);
  const detail =
    second !== undefined
      ? `--${first} cannot be combined with --${second}`
      : flags.samples === true && flags.accept !== true
        ? '--samples is for check --accept, which writes the baseline'
        : null;
  if (detail !== null) throw new ToolError('usage', { detail });
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
    samples: flags.samples === true ? (flags.mask === true ? 'masked' : 'plain') : null,
  };
}
