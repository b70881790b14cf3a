import { LIBRARIES } from '../../model/names.ts';
import { DEFAULTS } from '../../model/presets.ts';
import { DIMENSIONS, PRESET_NAMES, SWEEP_FORMATS } from '../../model/vocabulary/sweep.ts';
import * as common from './flags.ts';
import { besideFiles, outputsOf } from './outputs.ts';
import * as values from './values.ts';

export const SWEEP: common.CommandFlags = {
  name: 'sweep',
  help: 'cost against size for each strategy; where they cross',
  argument: { form: '[payload...]', help: 'one file, or - for JSON on stdin' },
  options: [
    ['--preset <name>', `redo a published benchmark: ${PRESET_NAMES.join(', ')}`, { values: PRESET_NAMES }],
    ['--scale <from..to>', 'sizes, like 10..10k (default: a hundredth to ten times the payload)'],
    [
      '--steps <n>',
      'how many sizes; a few more follow near crossovers',
      { preset: `${DEFAULTS.sweepSteps}` },
    ],
    [
      '--by <what>',
      'what grows: items, chars, keys or bytes (default: the largest part of the payload)',
      { values: DIMENSIONS },
    ],
    common.RUNTIMES_OR_URL,
    common.channelsOption('worker, or as published'),
    common.SENDER,
    ['-e, --export <name...>', 'only this export of a module'],
    ['--via <library>', 'post as a worker library does, in its envelope', { choices: LIBRARIES }],
    common.formatsOption(SWEEP_FORMATS),
    common.OUTPUT,
    [
      '-b, --budget <time>',
      'measuring time for all sizes on one runtime',
      { preset: `${DEFAULTS.sweepMs / 1000}s` },
    ],
    common.TOTAL_BUDGET,
    [
      '--as <kind>',
      'read the file as text, bytes or json whatever its ending',
      { values: ['text', 'bytes', 'json'] },
    ],
    common.SEED,
    common.timeoutOption(' beyond its budget'),
    common.LISTEN,
    ...common.FETCHING,
  ],
  example: 'clone-prof sweep payload.json --scale 10..10k -r node bun',
};

export type SweepOptions = ReturnType<typeof sweepOptions>;

/** What the user typed, validated. @throws ToolError 'usage' */
export function sweepOptions({ args, flags }: values.Typed) {
  const { runtimes, payloads } = values.splitRuntimes(flags.runtime);
  const { outputs: named, payloads: afterFormats } = outputsOf(SWEEP_FORMATS, flags);
  const outputs = besideFiles(named, flags);
  const options = {
    payloads: [...args, ...payloads, ...afterFormats],
    preset: values.parseOptional(flags.preset, values.parseOneOf(PRESET_NAMES, '--preset')),
    runtimes,
    ...values.postingOf(flags),
    ...values.readingOf(flags),
    via: flags.via === undefined ? [] : [values.libraryOf(String(flags.via))],
    by: values.parseOptional(flags.by, values.parseOneOf(DIMENSIONS, '--by')),
    scale: values.parseOptional(flags.scale, scaleOf),
    steps: stepsOf(String(flags.steps)),
    outputs,
    ...values.budgetsOf(flags),
    ...values.waitingOf(flags, runtimes),
    ...values.fetchingOf(flags),
  };
  refuseMixture(options);
  return options;
}

const UNITS: Record<string, number> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };
const SIZE = /^(\d+(?:\.\d+)?)([kmg]?)b?$/i;

/** "10..10k": two whole sizes, with k, M or G for thousands, millions and billions. */
function scaleOf(text: string): { from: number; to: number } {
  const [from = Number.NaN, to = Number.NaN, ...more] = text.split('..').map(parseSize);
  if (more.length === 0 && from >= 0 && to >= from) return { from, to };
  throw values.usage(
    `--scale: '${text}' is not a range of sizes. Write it like 10..10k or 1k..1M, the smaller first`,
  );
}

function parseSize(text: string): number {
  const [, digits, unit = ''] = SIZE.exec(text.trim()) ?? [];
  return digits === undefined ? Number.NaN : Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? 1));
}

const MAX_STEPS = 40;

function stepsOf(text: string): number {
  const steps = Number(text);
  if (/^\d+$/.test(text) && steps >= 2 && steps <= MAX_STEPS) return steps;
  throw values.usage(`--steps: '${text}' is not a whole number from 2 to ${MAX_STEPS}`);
}

/** A preset brings its own payloads and sizes. */
function refuseMixture({
  preset,
  payloads,
  scale,
  by,
}: Pick<SweepOptions, 'preset' | 'payloads' | 'scale' | 'by'>): void {
  if (preset === null && payloads.length === 0)
    throw values.usage(
      `no payload given. Name a file: clone-prof sweep payload.json, or a published benchmark: --preset ${PRESET_NAMES[0]}`,
    );
  const other = payloads.length > 0 ? payloads[0] : scale ? '--scale' : by ? '--by' : null;
  if (preset !== null && other)
    throw values.usage(`--preset ${preset} has its own payloads and sizes: leave out ${other}`);
}
