/** What a sweep measures: the sizes of a payload, or the series of a published benchmark. */

import type { GuestSlot } from '../../app/job/guest-slot.ts';
import type { MeasureRequest, MeasureTools } from '../../app/job/job.ts';
import { openSources, recipesOf } from '../../app/job/payloads.ts';
import { inRange } from '../../engines/versions/versions.ts';
import type { Dimension } from '../../model/documents/shape.ts';
import type { Folklore, PublishedFigure, SweepPoint } from '../../model/documents/sweep.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { Channel, LibraryName, RuntimeName } from '../../model/names.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import { type DimensionName, type PresetName, RAW } from '../../model/vocabulary/words.ts';
import { carries } from '../../stats/evidence.ts';

/** Ascending multiples of `grain`, with both ends; fewer if some are equal. Zero has no logarithm: an extra size. */
export function logSpaced(from: number, to: number, steps: number, grain = 1): number[] {
  const low = Math.max(from, grain);
  const zero = from <= 0 ? [0] : [];
  const many = Math.max(1, steps - zero.length - 1);
  const sizes = Array.from({ length: many + 1 }, (_, step) => low * (to / low) ** (step / many));
  const whole = sizes.map((size) => Math.max(grain, Math.round(size / grain) * grain));
  return [...new Set([...zero, ...(to < low ? [] : whole)])].sort((a, b) => a - b);
}

/** The default range: a hundredth to ten times the payload, up to this many bytes. */
const MAX_BYTES = 4e6;
const GROWTH = 10;
const RANGE = 1000;

export function usualRange({ size, weight }: { size: number; weight: number }): { from: number; to: number } {
  const growth = Math.min(GROWTH, Math.max(1, MAX_BYTES / Math.max(1, weight)));
  const to = Math.max(2, Math.round(size * growth));
  return { from: Math.max(1, Math.round(to / RANGE)), to };
}

export type Subject =
  | {
      kind: 'payload';
      sources: Source[];
      exports: string[] | null;
      via: LibraryName | null;
      by: DimensionName | null;
      scale: { from: number; to: number } | null;
      steps: number;
    }
  | { kind: 'preset'; preset: Preset };

export interface SweepRequest extends MeasureRequest {
  subject: Subject;
}

export interface Sized extends Pick<SweepPoint, 'payload' | 'unit' | 'size'> {
  recipe: Recipe;
  /** Approximate bytes of one message. */
  bytes: number;
  isLargest: boolean;
}

export interface SizedSeries {
  id: string;
  sizes: Sized[];
  grain: number;
  /** Null if the sizes are fixed. */
  inSize: ((size: number) => Sized) | null;
}

export interface Swept {
  title: string;
  /** Part of the payload that is scaled; null for a preset. */
  dimension: Dimension | null;
  series: SizedSeries[];
}

export function presetSeries({ title, series: all, file }: Preset): Swept {
  const series = all.map(({ id: payload, export: name, unit, sizes }) => {
    const sized = sizes.map((size, at): Sized => {
      const label = `${payload}, ${labelOf(size, unit)}`;
      const source = { file: label, export: null };
      const form = { form: 'module', file, original: label, export: name, generated: true } as const;
      const recipe: Recipe = { id: label, source, build: { ...form, size } };
      const bytes = unit === 'chars' || unit === 'bytes' ? size : size * MEMBER_BYTES;
      return { payload, unit, size, recipe, bytes, isLargest: at === sizes.length - 1 };
    });
    return { id: payload, sizes: sized, grain: 1, inSize: null };
  });
  return { title, dimension: null, series };
}

const labelOf = (size: number, unit: DimensionName) => `${size} ${unit}`;

/** Assumed size of a number, or of a name with its number. */
const MEMBER_BYTES = 20;

export async function payloadSeries(
  subject: Extract<Subject, { kind: 'payload' }>,
  slot: GuestSlot,
  tools: MeasureTools,
): Promise<Swept & { dimension: Dimension }> {
  const recipe = await onlyPayload(subject, slot, tools);
  const { found } = await slot.ask({ type: 'dimensions', recipe });
  const dimension = chosen(found, subject.by, recipe);
  const { from, to } = subject.scale ?? usualRange(dimension);
  const sizes = logSpaced(from, to, subject.steps, dimension.grain);
  const { by, path, grain } = dimension;
  const { id } = recipe;
  const inSize = (size: number): Sized => ({
    ...{ payload: id, unit: by, size, isLargest: false },
    bytes: (dimension.weight * size) / dimension.size,
    recipe: { ...recipe, id: `${id}, ${labelOf(size, by)}`, scale: { by, path, size } },
  });
  const sized = sizes.map((size, at) => ({ ...inSize(size), isLargest: at === sizes.length - 1 }));
  return { title: id, dimension, series: [{ id, sizes: sized, grain, inSize }] };
}

async function onlyPayload(
  { sources, exports, via }: Extract<Subject, { kind: 'payload' }>,
  slot: GuestSlot,
  tools: MeasureTools,
): Promise<Recipe> {
  const { emit } = tools;
  const payloads = await openSources(sources, [slot], { exports, via: via ? [via] : [], emit });
  const good = recipesOf(payloads);
  if (payloads[0]?.kind === 'failed' && good.length === 0) throw payloads[0].error;
  const [recipe, ...others] = good;
  if (!recipe) throw new ToolError('no-input');
  if (others.length === 0) return recipe;
  const names = good.map(({ id }) => id).join(', ');
  const few = `sweep takes one payload, and these are ${good.length}: ${names}`;
  throw usage(`${few}. Name one, which is FILE#NAME in a file of several`);
}

function chosen(found: readonly Dimension[], by: DimensionName | null, { source }: Recipe): Dimension {
  const dimension = by === null ? found[0] : found.find((one) => one.by === by);
  if (dimension) return dimension;
  throw usage(
    `${source.file}: there are no ${by ?? 'items, chars, bytes or keys'} in it that could be scaled`,
  );
}

interface PublishedFigures extends Omit<PublishedFigure, 'value'> {
  series: string;
  /** Figure for each size of the series; null if none was published. */
  values: readonly (number | null)[];
  /** The runtime of the published figures, and the range of versions that behave alike. */
  runtime: RuntimeName;
  versions: string;
  /** For speedups: versions whose time is divided by the time of `versions`. */
  over?: string;
}

/** A published benchmark to repeat: a module with its payloads and figures. */
export interface Preset {
  name: PresetName;
  /** Absolute path of the module. */
  file: string;
  title: string;
  channel: Channel;
  /** `export`: name of the module's function that makes the payload in each size. */
  series: readonly { id: string; export: string; unit: DimensionName; sizes: readonly number[] }[];
  /** Strategies that are timed in addition to `raw`. */
  strategies: readonly string[];
  published: readonly PublishedFigures[];
  folklore: Folklore | null;
}

export function withPublished(points: readonly SweepPoint[], preset: Preset): SweepPoint[] {
  return points.map((point) => {
    if (point.channel !== preset.channel || point.strategy !== RAW) return point;
    const { sizes = [] } = preset.series.find(({ id }) => id === point.payload) ?? {};
    const at = sizes.indexOf(point.size);
    const found = preset.published.find(
      (one) => one.series === point.payload && one.values[at] != null && isOf(point, one, one.versions),
    );
    const value = found?.values[at] ?? null;
    if (found === undefined || value === null) return point;
    const { of, on, source } = found;
    return { ...point, published: { value, of, on, source, measured: measured(found, point, points) } };
  });
}

const isOf = ({ runtime }: SweepPoint, { runtime: name }: PublishedFigures, versions: string): boolean =>
  runtime.name === name && inRange(runtime.version, versions);

function measured(
  figures: PublishedFigures,
  point: SweepPoint,
  points: readonly SweepPoint[],
): number | null {
  if (figures.of === 'send') return point.send?.median ?? null;
  if (figures.of === 'clone') return point.roundTrip?.median ?? null;
  const { over } = figures;
  const isOld = (one: SweepPoint) =>
    (['channel', 'payload', 'strategy', 'size'] as const).every((name) => one[name] === point[name]) &&
    over !== undefined &&
    isOf(one, figures, over);
  const before = points.find(isOld)?.roundTrip;
  const now = point.roundTrip;
  return carries(before, 'size') && carries(now, 'size') ? before.median / now.median : null;
}
