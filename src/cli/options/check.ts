import type { Shard } from '../../model/documents/check.ts';
import { CHECK_FORMATS } from '../../model/gate/limits.ts';
import { RUNTIME_NAMES } from '../../model/names.ts';
import * as common from './flags.ts';
import { besideFiles, outputsOf } from './outputs.ts';
import * as values from './values.ts';

/** What `check` and `baseline` share. */
const GATE_OPTIONS: readonly common.OptionSpec[] = [
  ['--config <file>', 'the config (default: clone-prof.config.{json,mjs,js,ts} or package.json)'],
  ['--samples', 'keep a copy of each payload in the baseline, for limits on time and memory (up to 64 kB)'],
  ['--mask', 'with --samples: replace texts by others of equal length'],
  common.timeoutOption(),
  ...common.FETCHING,
];

export const CHECK: common.CommandFlags = {
  name: 'check',
  help: 'compare payloads with limits, a baseline or a commit; exit 1 on a regression',
  argument: { form: '[payload...]', help: 'names or files of payloads (default: all of the config)' },
  options: [
    common.formatsOption(CHECK_FORMATS),
    [
      '-r, --runtime <spec...>',
      'runtimes, instead of those in the config: node, bun@1.4, chromium, a path to a binary',
      { values: RUNTIME_NAMES },
    ],
    common.OUTPUT,
    common.RUN_BUDGET,
    common.TOTAL_BUDGET,
    ['--watch', 'check again when a file that was read changes, until Ctrl-C'],
    ['--accept', 'write the current facts to the baseline, and print what changed'],
    ['--fix-codec', 'regenerate the codecs of the config that do not fit their payloads'],
    [
      '--base <commit>',
      'compare with this commit, branch or tag: facts, and time in the same run; no baseline is used',
    ],
    ['--init', 'write a config and a CI workflow; nothing is overwritten'],
    ['--shards <n>', 'with --init: number of CI runners for the payloads'],
    ['--shard <i/n>', 'check only this part of payloads and runtimes, like 1/4'],
    ['--merge <report...>', 'merge the JSON reports of shards into one'],
    ['--expect <config>', 'with --merge: refuse shards that did not check all of this config'],
    common.SEED,
    ...GATE_OPTIONS,
  ],
  example: 'clone-prof check -f terminal junit=report.xml',
};

export const BASELINE: common.CommandFlags = {
  name: 'baseline',
  help: 'write the facts that check compares with',
  argument: {
    form: '[payload...]',
    help: 'names or files of payloads, or recordings (default: all of the config)',
  },
  options: [
    ...GATE_OPTIONS,
    ...common.sitesOptions('95 % of the cost, at most 20'),
    ['--no-measure', 'accepted, but without effect: a baseline holds only facts; nothing is measured'],
  ],
  example: 'clone-prof baseline',
};

export type CheckOptions = ReturnType<typeof checkOptions>;

/** What the user typed, validated. @throws ToolError 'usage' */
export function checkOptions({ args, flags }: values.Typed) {
  refuseUnfit(flags);
  const { runtimes, payloads: behind } = values.splitRuntimes(flags.runtime);
  const { outputs: named, payloads } = outputsOf(CHECK_FORMATS, flags);
  const outputs = besideFiles(named, flags);
  return {
    ...gateOptions({ args: [...args, ...payloads, ...behind], flags }),
    /** Instead of those of the config. */
    runtimes: runtimes.length === 0 ? null : runtimes,
    outputs,
    ...values.budgetsOf(flags),
    accept: flags.accept === true,
    watch: flags.watch === true,
    /** The commit to compare with, as the user wrote it; null: the baseline. */
    base: values.textOf(flags.base),
    init: flags.init === true,
    shards: shardsOf(flags.shards),
    merge: flags.merge === undefined ? null : values.listOf(flags.merge),
    /** The config that the shards of `merge` must be of. */
    expect: values.textOf(flags.expect),
    fixCodec: flags.fixCodec === true,
    // Told after all others that are wrong.
    shard: values.parseOptional(flags.shard, shardOf),
  };
}

/** Options that would be ignored beside each other: the user means something that does not happen. */
function refuseUnfit(flags: values.Typed['flags']): void {
  const isGiven = (name: string) => flags[name] !== undefined;
  const [first, second] = ['init', 'merge', 'accept', 'shard'].filter(isGiven);
  const [beside] = isGiven('base') ? ['init', 'merge', 'accept'].filter(isGiven) : [];
  const [unfixed] = isGiven('fixCodec') ? ['init', 'merge', 'accept', 'base'].filter(isGiven) : [];
  const [unwatched] = isGiven('watch') ? ['init', 'merge', 'accept', 'fixCodec'].filter(isGiven) : [];
  const lacks = (name: string, ...needed: string[]) => isGiven(name) && !needed.some(isGiven);
  const unfit: [isUnfit: boolean, detail: string][] = [
    [second !== undefined, `--${first} cannot be combined with --${second}`],
    [beside !== undefined, `--base cannot be combined with --${beside}`],
    [unwatched !== undefined, `--watch cannot be combined with --${unwatched}`],
    [unfixed !== undefined, `--fix-codec cannot be combined with --${unfixed}`],
    [lacks('expect', 'merge'), '--expect is for --merge'],
    [lacks('samples', 'accept'), '--samples is for check --accept, which writes the baseline'],
    [lacks('shards', 'init'), '--shards is for check --init, which writes a workflow'],
  ];
  const [found] = unfit.filter(([isUnfit]) => isUnfit);
  if (found) throw values.usage(found[1]);
}

/** "2/4" -> the second of four; null: all parts. */
function shardOf(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw values.usage(`--shard: '${text}' is not a valid shard. Write it like 1/4`);
}

/** As many jobs as a matrix of GitHub may have. */
const MAX_SHARDS = 256;

function shardsOf(flag: unknown): number {
  if (flag === undefined) return 1;
  const shards = Number(/^\d+$/.exec(String(flag))?.[0]);
  if (shards >= 1 && shards <= MAX_SHARDS) return shards;
  throw values.usage(`--shards: '${flag}' is not a number of runners from 1 to ${MAX_SHARDS}`);
}

export type GateOptions = ReturnType<typeof gateOptions>;

/** What `check` and `baseline` share. @throws ToolError 'usage' */
export function gateOptions({ args, flags }: values.Typed) {
  const [isKept, isMasked] = [flags.samples === true, flags.mask === true];
  if (isMasked && !isKept) throw values.usage('--mask hides the texts of --samples. Give both');
  const samples = isMasked ? ('masked' as const) : ('plain' as const);
  return {
    payloads: args,
    config: values.textOf(flags.config),
    timeoutMs: values.timeoutOf(flags),
    ...values.fetchingOf(flags),
    ...values.sitesOf(flags),
    /** What the baseline is to hold of the payloads themselves. */
    samples: isKept ? samples : null,
  };
}
