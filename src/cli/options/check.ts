import type { Shard } from '../../model/documents/check.ts';
import { usage } from '../../model/errors.ts';
import { CHECK_FORMATS } from '../../model/report/formats.ts';
import {
  argument,
  asTyped,
  commandSpec,
  flag,
  type SettingsOf,
  several,
  single,
  wholeNumber,
} from './option.ts';
import * as shared from './shared.ts';
import { formatsOption, OUTPUT } from './shared.ts';

/** At most as many as a matrix of GitHub has jobs. */
const RUNNERS = wholeNumber(1, 256, 'a number of runners');

/** Options of `check` and `baseline`. */
const GATE_OPTIONS = {
  config: single(
    '--config <file>  the config (default: clone-prof.config.{json,mjs,js,ts} or package.json)',
    asTyped,
  ),
  samples: flag(
    '--samples  keep a copy of each payload in the baseline, for limits on time and memory (up to 64 kB)',
  ),
  mask: flag('--mask  with --samples: replace texts by others of equal length', {
    needs: 'samples',
  }),
  timeoutMs: shared.timeoutOption(),
  ...shared.FETCHING,
};

export const CHECK = commandSpec({
  name: 'check',
  help: 'compare payloads with limits, a baseline or a commit; exit 1 on a regression',
  argument: argument('payloads', '[payload...]  names or files of payloads (default: all of the config)'),
  options: {
    formats: formatsOption(CHECK_FORMATS),
    runtimes: shared.runtimesOption(
      'runtimes, instead of those in the config: node, bun@1.4, chromium, a path to a binary',
    ),
    output: OUTPUT,
    keys: shared.KEYS,
    budgetMs: shared.budgetOption(),
    totalMs: shared.TOTAL_BUDGET,
    watch: flag('--watch  check again when a file that was read changes, until Ctrl-C', {
      conflicts: ['init', 'merge', 'accept', 'fixCodec'],
    }),
    accept: flag('--accept  write the current facts to the baseline, and print what changed', {
      conflicts: ['shard'],
    }),
    fixCodec: flag('--fix-codec  regenerate the codecs of the config that do not fit their payloads', {
      conflicts: ['init', 'merge', 'accept', 'base'],
    }),
    base: single(
      '--base <commit>  compare with this commit, branch or tag: facts, and time in the same run; no baseline is used',
      asTyped,
      { conflicts: ['init', 'merge', 'accept'] },
    ),
    baseline: single(
      '--baseline <file>  the baseline, which must be there, instead of that of the config',
      asTyped,
      { conflicts: ['base', 'init', 'merge'] },
    ),
    allowRemoved: flag('--allow-removed  with --base: what "removed" of the config names may be gone', {
      needs: 'base',
    }),
    init: flag('--init  write a config and a CI workflow; nothing is overwritten', {
      conflicts: ['merge', 'accept', 'shard'],
    }),
    shards: single('--shards <n>  with --init: number of CI runners for the payloads', RUNNERS, {
      needs: 'init',
    }),
    shard: single('--shard <i/n>  check only this part of payloads and runtimes, like 1/4', shardFrom),
    merge: several('--merge <report...>  merge the JSON reports of shards into one', asTyped, {
      takes: () => true,
      conflicts: ['accept', 'shard'],
    }),
    expect: single(
      '--expect <config>  with --merge: refuse shards that did not check all of this config',
      asTyped,
      { needs: 'merge' },
    ),
    seed: shared.SEED,
    ...GATE_OPTIONS,
    samples: {
      ...GATE_OPTIONS.samples,
      needs: 'accept',
    },
  },
  example: 'clone-prof check -f terminal junit=report.xml',
});

export type CheckSettings = SettingsOf<typeof CHECK>;

export const BASELINE = commandSpec({
  name: 'baseline',
  help: 'write the facts that check compares with',
  argument: argument(
    'payloads',
    '[payload...]  names or files of payloads, or recordings (default: all of the config)',
  ),
  options: {
    ...GATE_OPTIONS,
    ...shared.sitesOptions('95 % of the cost, at most 20'),
    measure: flag(
      '--no-measure  accepted, but without effect: a baseline holds only facts; nothing is measured',
    ),
  },
  example: 'clone-prof baseline',
});

export type BaselineSettings = SettingsOf<typeof BASELINE>;

/** "2/4": the second of four parts. */
function shardFrom(text: string, option: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw usage(`${option}: '${text}' is not a valid shard. Write it like 1/4`);
}
