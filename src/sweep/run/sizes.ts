/** Sizes of a sweep: of a payload or a published benchmark; where strategies cross, the next to measure, and what each costs. */
import { GuestSlot } from '../../app/job/guest-slot.ts';
import type { MeasureRequest, MeasureTools } from '../../app/job/job.ts';
import { openSources, recipesOf } from '../../app/job/payloads.ts';
import { inRange } from '../../engines/versions/versions.ts';
import type { Interval, RatioEstimate } from '../../model/documents/measurement.ts';
import type { Dimension } from '../../model/documents/shape.ts';
import type {
  Crossover,
  Folklore,
  PublishedFigure,
  StrategyResult,
  SweepPoint,
} from '../../model/documents/sweep.ts';
import { ToolError, usage } from '../../model/errors.ts';
import type { Channel, LibraryName, RuntimeName } from '../../model/names.ts';
import type { Recipe, Source } from '../../model/report/recipe.ts';
import { groupedBy, sumOf } from '../../model/sums.ts';
import { type DimensionName, type PresetName, RAW } from '../../model/vocabulary/words.ts';
import { carries, type Decision, decide } from '../../stats/evidence.ts';

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

interface PayloadSubject {
  kind: 'payload';
  sources: Source[];
  exports: string[] | null;
  via: LibraryName | null;
  by: DimensionName | null;
  scale: { from: number; to: number } | null;
  steps: number;
}

export type Subject = PayloadSubject | { kind: 'preset'; preset: Preset };

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

export async function whatToSweep(request: SweepRequest, tools: MeasureTools): Promise<Swept> {
  const { subject, runtimes } = request;
  if (subject.kind === 'preset') return presetSeries(subject.preset);
  const [first] = runtimes.found;
  if (!first) return { title: '', dimension: null, series: [] };
  const slot = new GuestSlot(tools, first, request);
  try {
    return await payloadSeries(subject, slot, tools);
  } finally {
    await slot.close();
  }
}

function presetSeries({ title, series: all, file }: Preset): Swept {
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

async function payloadSeries(subject: PayloadSubject, slot: GuestSlot, tools: MeasureTools) {
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
  const steps = `${sizes.length} sizes from ${sizes[0]} to ${sizes.at(-1)}`;
  const text = `${id}: scaling the ${dimension.size} ${by} of ${path}, ${steps}. Scale another part: --by items, chars, bytes or keys`;
  tools.emit({ type: 'note', text });
  const sized = sizes.map((size, at) => ({ ...inSize(size), isLargest: at === sizes.length - 1 }));
  return { title: id, dimension, series: [{ id, sizes: sized, grain, inSize }] };
}

async function onlyPayload(
  { sources, exports, via }: PayloadSubject,
  slot: GuestSlot,
  { emit }: MeasureTools,
) {
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

function measured(figures: PublishedFigures, point: SweepPoint, points: readonly SweepPoint[]) {
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

// Crossovers.

/** A curve for each place and each strategy that is compared with raw, sizes ascending. */
function comparedWithRaw(points: readonly SweepPoint[]): SweepPoint[][] {
  const compared = points.filter(({ strategy }) => strategy !== RAW);
  const curves = groupedBy(compared, ({ runtime: { name, version }, channel, payload, strategy }) =>
    JSON.stringify([name, version, channel, payload, strategy]),
  );
  return [...curves.values()].map((curve) => curve.sort((a, b) => a.size - b.size));
}

export function findCrossovers(points: readonly SweepPoint[]): Crossover[] {
  return comparedWithRaw(points).flatMap((curve) => {
    const { runtime, channel, payload, strategy, unit } = curve[0]!;
    const ratios = curve.flatMap(({ size, ratio }) => (ratio === null ? [] : [{ size, ratio }]));
    return crossings(ratios).map(({ size, ci, belowFirst }): Crossover => {
      const cheaper = belowFirst ? { below: strategy, above: RAW } : { below: RAW, above: strategy };
      return { runtime, channel, payload, between: [RAW, strategy], unit, size, ci, cheaper };
    });
  });
}

export function strategyResults(points: readonly SweepPoint[]): StrategyResult[] {
  return comparedWithRaw(points).map((curve) => {
    const { runtime, channel, payload, strategy, unit } = curve[0]!;
    const timed = curve.filter(({ ratio }) => ratio !== null);
    const sizes = (wanted: Decision) =>
      timed.filter(({ ratio }) => decide(ratio) === wanted).map(({ size }) => size);
    const even = sizes('same');
    const series = { runtime, channel, payload, strategy, unit };
    return { ...series, faster: sizes('faster'), slower: sizes('slower'), even, undecided: sizes('open') };
  });
}

export interface RatioAt {
  size: number;
  /** Ratio of the costs of two strategies, with its 95 % interval. */
  ratio: RatioEstimate;
}

interface Crossing {
  size: number;
  ci: Interval;
  /** True if the ratio is below 1 on the side of the smaller sizes. */
  belowFirst: boolean;
}

/**
 * Finds crossings: sizes with a ratio of 1 on the line through the ratios, both axes logarithmic. A crossing lies
 * between two sizes with opposite decisions; undecided sizes between them only widen its interval, which holds all
 * sizes where 1 lies between the lines through the lower and the upper ends of the ratios' intervals.
 * @param points sizes ascending
 */
export function crossings(points: readonly RatioAt[]): Crossing[] {
  const found: Crossing[] = [];
  let from = -1;
  for (const [to, { ratio }] of points.entries()) {
    const side = decide(ratio);
    if (side !== 'faster' && side !== 'slower') continue;
    const before = points[from];
    if (before && decide(before.ratio) !== side) found.push(crossingIn(points.slice(from, to + 1)));
    from = to;
  }
  return found;
}

/** @param points the first and the last are decided, so that each line through them crosses 1 */
function crossingIn(points: readonly RatioAt[]): Crossing {
  const even = evenSizes(points, ({ ratio }) => ratio);
  const ends = [...evenSizes(points, ({ ci }) => ci[0]), ...evenSizes(points, ({ ci }) => ci[1])];
  return {
    size: even[even.length >> 1]!,
    ci: [Math.min(...ends), Math.max(...ends)],
    belowFirst: points[0]!.ratio.ratio < 1,
  };
}

function evenSizes(points: readonly RatioAt[], heightOf: (ratio: RatioEstimate) => number): number[] {
  const sizes: number[] = [];
  for (const [index, right] of points.entries()) {
    const left = points[index - 1];
    if (left === undefined) continue;
    // A coarse clock measures a ratio of zero, whose logarithm would not be a number to divide by.
    const heights = [left, right].map(({ ratio }) => Math.log(Math.max(heightOf(ratio), Number.MIN_VALUE)));
    const [a, b] = heights as [number, number];
    if (a < 0 === b < 0) continue;
    // A size may be zero.
    const [from, to] = [Math.log1p(left.size), Math.log1p(right.size)];
    sizes.push(Math.expm1(from + ((to - from) * a) / (a - b)));
  }
  return sizes;
}

/** A crossover is known if a size near it was measured, and its interval is at most this wide. */
const NARROW = 1.25;
/**
 * Maximum sizes per strategy. If many sizes have similar costs, one soon seems decided, but wrongly. Few sizes get more
 * time each.
 */
const MAX_SIZES = 3;

/**
 * Bisects, on a logarithmic axis, between the measured sizes around the crossover with the widest interval.
 * @param coarse points of one payload on one runtime over one channel
 * @param refined points of sizes that were returned here before
 * @returns the size, the strategy whose crossover with `raw` it brackets more closely, and the maximum number of sizes
 *   that will be requested, including this one; null if all are known, or were bisected as often as is useful
 */
export function nextSize(coarse: readonly SweepPoint[], refined: readonly SweepPoint[], grain: number) {
  const points = [...coarse, ...refined];
  const open = findCrossovers(points).flatMap(({ between: [, strategy], size: crossing, ci }) => {
    const done = refined.filter((one) => one.strategy === strategy).length;
    const sizes = points.filter((one) => one.strategy === strategy).map((one) => one.size);
    const below = Math.max(...sizes.filter((one) => one <= crossing));
    const above = Math.min(...sizes.filter((one) => one > crossing));
    const middle = Math.expm1((Math.log1p(below) + Math.log1p(above)) / 2);
    const size = Math.round(middle / grain) * grain;
    // Plus one, because a size may be zero.
    const width = (ci[1] + 1) / (ci[0] + 1);
    if (sizes.includes(size) || done >= MAX_SIZES || (done > 0 && width <= NARROW)) return [];
    return { size, strategy, width, left: MAX_SIZES - done };
  });
  const [widest] = open.sort((a, b) => b.width - a.width);
  return widest === undefined ? null : { ...widest, left: sumOf(open, ({ left }) => left) };
}

// Estimated costs of the sizes of a sweep, learnt from earlier sizes. Times in ms.

/** Minimum rounds of one process. A large payload leaves time for few processes, so their rounds show the noise. */
const MIN_ROUNDS = 4;
/** Each round of round trips is accompanied by one-way messages, which take half as long. */
const ROUND = 1.5;
/** Building the payload at both ends and warming up take as long as this number of rounds. */
const ROUNDS_BEFORE = 3;
/** Initial guess for the first size: the time of nested rows. */
const NS_A_BYTE = 20;
/** Minimum time of a size: three processes start and measure briefly, and a further process measures the memory. */
export const LEAST_OF_SIZE_MS = 800;

export class SizeCosts {
  readonly #strategies: number;
  /** Time of one message of each strategy, at the last size that was timed. */
  readonly #nsAByte = new Map<string, number>();

  /** @param strategies number of timed strategies, including raw */
  constructor(strategies: number) {
    this.#strategies = strategies;
  }

  /** `inAllMs`: starting processes, and enough messages for an interval. `sliceMs`: timed rounds of one process. */
  of({ payload, bytes }: Pick<Sized, 'payload' | 'bytes'>) {
    const roundMs = (bytes * (this.#nsAByte.get(payload) ?? this.#strategies * NS_A_BYTE)) / 1e6;
    const sliceMs = MIN_ROUNDS * ROUND * roundMs;
    const messagesMs = ROUNDS_BEFORE * roundMs + sliceMs;
    return { inAllMs: LEAST_OF_SIZE_MS + messagesMs, messagesMs, sliceMs };
  }

  learn(
    { payload, bytes }: Pick<Sized, 'payload' | 'bytes'>,
    points: readonly Pick<SweepPoint, 'roundTrip'>[],
  ) {
    const ns = sumOf(points, ({ roundTrip }) => roundTrip?.median ?? 0);
    if (ns > 0) this.#nsAByte.set(payload, ns / Math.max(1, bytes));
  }
}
