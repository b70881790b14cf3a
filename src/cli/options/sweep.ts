import { PRESETS, type Preset, presetNamed } from '../../app/sweep/presets/index.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel, LibraryName, Sender } from '../../model/names.ts';
import {
  DIMENSIONS,
  type DimensionName,
  SWEEP_FORMATS,
  type SweepFormat,
} from '../../model/vocabulary/sweep.ts';
import { type Output, outputsOf } from './outputs.ts';
import { type Fetching, fetchingOf, listOf, type Typed, type Waiting } from './typed.ts';
import {
  channelsOf,
  inputKindOf,
  libraryOf,
  listenOf,
  milliseconds,
  oneOf,
  seedOf,
  senderOf,
  splitRuntimes,
  totalOf,
} from './values.ts';

/** `sweep` options as the user gave them, validated. Times in ms. */
export interface SweepOptions extends Fetching, Waiting {
  payloads: string[];
  preset: Preset | null;
  runtimes: string[];
  channels: Channel[] | null;
  sender: Sender | undefined;
  exports: string[] | null;
  via: LibraryName[];
  by: DimensionName | null;
  scale: { from: number; to: number } | null;
  steps: number;
  outputs: Output<SweepFormat>[];
  budgetMs: number;
  /** For all runtimes and channels together; null: each has its budget. */
  totalMs: number | null;
  seed: number;
  as: 'text' | 'bytes' | 'json' | null;
}

/** @throws ToolError 'usage' */
export function sweepOptions({ args, flags }: Typed): SweepOptions {
  const { runtimes, payloads } = splitRuntimes(listOf(flags.runtime));
  const { outputs, payloads: afterFormats } = outputsOf(
    SWEEP_FORMATS,
    listOf(flags.format),
    listOf(flags.output),
  );
  const options: SweepOptions = {
    payloads: [...args, ...payloads, ...afterFormats],
    preset: flags.preset === undefined ? null : presetOf(String(flags.preset)),
    runtimes,
    channels: channelsOf(flags.channel),
    sender: senderOf(flags.sender),
    exports: flags.export === undefined ? null : listOf(flags.export),
    via: flags.via === undefined ? [] : [libraryOf(String(flags.via))],
    by: flags.by === undefined ? null : dimensionOf(String(flags.by)),
    scale: flags.scale === undefined ? null : scaleOf(String(flags.scale)),
    steps: stepsOf(String(flags.steps)),
    outputs,
    budgetMs: milliseconds(String(flags.budget), '--budget'),
    totalMs: totalOf(flags.total),
    timeoutMs: milliseconds(String(flags.timeout), '--timeout'),
    listen: listenOf(flags.listen, runtimes),
    seed: seedOf(String(flags.seed)),
    as: flags.as === undefined ? null : inputKindOf(String(flags.as)),
    ...fetchingOf(flags),
  };
  refuseMixture(options);
  return options;
}

const PRESET_NAMES = PRESETS.map(({ name }) => name);

const dimensionOf: (text: string) => DimensionName = oneOf(DIMENSIONS, '--by');

const UNITS: Record<string, number> = { '': 1, k: 1e3, m: 1e6, g: 1e9 };
const SIZE = /^(\d+(?:\.\d+)?)([kmg]?)b?$/i;

/** "10..10k": two whole sizes, with k, M or G for thousands, millions and billions. */
function scaleOf(text: string): { from: number; to: number } {
  const [from = Number.NaN, to = Number.NaN, ...more] = text.split('..').map(parseSize);
  if (more.length > 0 || !(from >= 0) || !(to >= from)) {
    throw new ToolError('usage', {
      detail: `--scale: '${text}' is not a range of sizes. Write it like 10..10k or 1k..1M, the smaller first`,
    });
  }
  return { from, to };
}

function parseSize(text: string): number {
  const [, digits, unit = ''] = SIZE.exec(text.trim()) ?? [];
  return digits === undefined ? Number.NaN : Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? 1));
}

const MAX_STEPS = 40;

function stepsOf(text: string): number {
  const steps = Number(text);
  if (/^\d+$/.test(text) && steps >= 2 && steps <= MAX_STEPS) return steps;
  throw new ToolError('usage', {
    detail: `--steps: '${text}' is not a whole number from 2 to ${MAX_STEPS}`,
  });
}

function presetOf(name: string): Preset {
  const preset = presetNamed(name);
  if (preset) return preset;
  throw new ToolError('usage', {
    detail: `--preset: '${name}' is unknown. Known: ${PRESET_NAMES.join(', ')}`,
  });
}

/** A preset brings its own payloads and sizes. */
function refuseMixture(options: SweepOptions): void {
  const { preset, payloads, scale, by } = options;
  if (preset === null && payloads.length === 0) {
    throw new ToolError('usage', {
      detail: `no payload given. Name a file: clone-prof sweep payload.json, or a published benchmark: --preset ${PRESET_NAMES[0]}`,
    });
  }
  if (preset === null) return;
  const other = payloads.length > 0 ? payloads[0] : scale ? '--scale' : by ? '--by' : null;
  if (other) {
    throw new ToolError('usage', {
      detail: `--preset ${preset.name} has its own payloads and sizes: leave out ${other}`,
    });
  }
}
