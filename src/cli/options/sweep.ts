import { DEFAULTS } from '../../model/presets.ts';
import { DIMENSIONS, PRESET_NAMES, SWEEP_FORMATS } from '../../model/vocabulary/sweep.ts';
import { commandSpec, oneOf, type SettingsOf, single, usage, wholeNumber } from './option.ts';
import { formatsOption, OUTPUT } from './outputs.ts';
import * as shared from './shared.ts';

export const SWEEP = commandSpec({
  name: 'sweep',
  help: 'cost against size for each strategy; where they cross',
  argument: { name: 'payloads', form: '[payload...]', help: 'one file, or - for JSON on stdin' },
  options: {
    preset: single(
      '--preset <name>',
      `redo a published benchmark: ${PRESET_NAMES.join(', ')}`,
      oneOf(PRESET_NAMES),
      { values: PRESET_NAMES },
    ),
    scale: single(
      '--scale <from..to>',
      'sizes, like 10..10k (default: a hundredth to ten times the payload)',
      sizeRange,
    ),
    steps: single('--steps <n>', 'how many sizes; a few more follow near crossovers', wholeNumber(2, 40), {
      preset: `${DEFAULTS.sweepSteps}`,
    }),
    by: single(
      '--by <what>',
      'what grows: items, chars, keys or bytes (default: the largest part of the payload)',
      oneOf(DIMENSIONS),
      { values: DIMENSIONS },
    ),
    runtimes: shared.RUNTIMES_OR_URL,
    channels: shared.channelsOption('worker, or as published'),
    sender: shared.SENDER,
    exports: shared.exportsOption('only this export of a module'),
    via: shared.VIA_ONE,
    formats: formatsOption(SWEEP_FORMATS),
    output: OUTPUT,
    budgetMs: shared.budgetOption(
      'measuring time for all sizes on one runtime, like 30s or 2m',
      DEFAULTS.sweepMs,
    ),
    totalMs: shared.TOTAL_BUDGET,
    as: shared.asOption('read the file as text, bytes or json whatever its ending'),
    seed: shared.SEED,
    timeoutMs: shared.timeoutOption(' beyond its budget'),
    listen: shared.LISTEN,
    ...shared.FETCHING,
  },
  example: 'clone-prof sweep payload.json --scale 10..10k -r node bun',
  refuses(settings) {
    const { preset, payloads, scale, by } = settings;
    const listen = shared.listenRefusal(settings);
    if (listen !== null) return listen;
    if (preset === null && payloads.length === 0)
      return `no payload given. Name a file: clone-prof sweep payload.json, or a published benchmark: --preset ${PRESET_NAMES[0]}`;
    // A preset brings its payloads and sizes.
    const other = payloads.length > 0 ? payloads[0] : scale ? '--scale' : by ? '--by' : null;
    return preset !== null && other
      ? `--preset ${preset} has its own payloads and sizes: leave out ${other}`
      : null;
  },
});

export type SweepSettings = SettingsOf<typeof SWEEP>;

const UNITS: Record<string, number> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };
const SIZE = /^(\d+(?:\.\d+)?)([kmg]?)b?$/i;

/** "10..10k": two whole sizes, with k, M or G for thousands, millions and billions. */
function sizeRange(text: string): { from: number; to: number } {
  const [from = Number.NaN, to = Number.NaN, ...more] = text.split('..').map(parseSize);
  if (more.length === 0 && from >= 0 && to >= from) return { from, to };
  throw usage(
    `--scale: '${text}' is not a range of sizes. Write it like 10..10k or 1k..1M, the smaller first`,
  );
}

function parseSize(text: string): number {
  const [, digits, unit = ''] = SIZE.exec(text.trim()) ?? [];
  return digits === undefined ? Number.NaN : Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? 1));
}
