import { type Output, outputsOf } from './outputs.ts';
import { type Fetching, fetchingOf, listOf, type Typed, textOf } from './typed.ts';
import { milliseconds, seedOf } from './values.ts';

/** Options that `check` and `baseline` share, validated. */
export interface GateOptions extends Fetching {
  payloads: string[];
  config: string | null;
  timeoutMs: number;
}

export interface CheckOptions extends GateOptions {
  outputs: Output[];
  budgetMs: number;
  accept: boolean;
  init: boolean;
  shard: string | null;
  merge: string[] | null;
  seed: number;
}

/** @throws ToolError 'usage' */
export function checkOptions({ args, flags }: Typed): CheckOptions {
  const { outputs, payloads } = outputsOf(listOf(flags.format), textOf(flags.output));
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

/** @throws ToolError 'usage' */
export function gateOptions({ args, flags }: Typed): GateOptions {
  return {
    payloads: args,
    config: textOf(flags.config),
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    ...fetchingOf(flags),
  };
}
