import { carries } from '../../core/evidence.ts';
import { inRange } from '../../core/versions.ts';
import type { Folklore, PublishedFigure, SweepPoint } from '../../model/documents/sweep.ts';
import type { Channel, RuntimeName } from '../../model/names.ts';
import { type DimensionName, type PresetName, RAW, STRATEGY_NAMES } from '../../model/vocabulary/sweep.ts';

interface PublishedRow extends PublishedFigure {
  series: string;
  size: number;
  /** The runtime that the figure is compared with, and the range of versions that work alike. */
  runtime: RuntimeName;
  versions: string;
  /** For a speedup: the versions whose time is divided by this one's. */
  over?: string;
}

/** A published benchmark to repeat here. */
export interface Preset {
  name: PresetName;
  title: string;
  /** As published. */
  channel: Channel;
  /** Sizes of each payload; `specimen` names what the guest builds. */
  series: readonly { id: string; specimen: string; unit: DimensionName; sizes: readonly number[] }[];
  /** Strategies timed besides `raw`. */
  strategies: readonly string[];
  published: readonly PublishedRow[];
  folklore: Folklore | null;
}

/** 11 characters, and 14 x 1024 and 14 x 1024 x 256 of them, which the sources call 14 KB and 3 MB. */
const SIZES = [11, 14_336, 3_670_016] as const;

/** Of each version that was timed, and the versions expected to do the same: ns for each of the sizes. */
type Timed = Pick<PublishedRow, 'on' | 'runtime' | 'versions'> & { ns: readonly number[] };

const rows = (
  what: Pick<PublishedRow, 'of' | 'series' | 'source'>,
  sizes: readonly number[],
  timed: readonly Timed[],
): PublishedRow[] =>
  timed.flatMap(({ ns, ...where }) => sizes.map((size, at) => ({ ...where, ...what, size, value: ns[at]! })));

const STRINGS = 'bun.com/blog/how-we-made-postMessage-string-500x-faster';
const FLAT = 'github.com/oven-sh/bun/pull/22279';
const ARRAYS = 'github.com/oven-sh/bun/pull/26814';
const OBJECTS = 'github.com/oven-sh/bun/pull/26818';

/** 1.3.10 introduced both paths. */
const NEW = '>=1.3.10';
const OLD = '<1.3.10';

const speedup = (series: string, size: number, value: number): PublishedRow => ({
  ...{ series, size, value, of: 'speedup', on: 'Bun 1.3.10 over 1.3.8', source: ARRAYS },
  ...{ runtime: 'bun', versions: NEW, over: OLD },
});

export const SWEEP_PRESETS: { readonly [Name in PresetName]: Preset } = {
  'bun-strings': {
    name: 'bun-strings',
    title: 'postMessage of one string: "500x faster" in Bun 1.2.21',
    channel: 'worker',
    series: [{ id: 'string', specimen: 'published-string', unit: 'chars', sizes: SIZES }],
    strategies: [],
    published: rows({ of: 'send', series: 'string', source: STRINGS }, SIZES, [
      { on: 'Bun 1.2.21', runtime: 'bun', versions: '>=1.2.21', ns: [543, 460, 593] },
      { on: 'Bun 1.2.20', runtime: 'bun', versions: '<1.2.21', ns: [598, 1_350, 326_290] },
      { on: 'Node 24.6', runtime: 'node', versions: '*', ns: [806, 1_220, 242_110] },
    ]),
    folklore: null,
  },
  'bun-flat-object': {
    name: 'bun-flat-object',
    title: 'postMessage of a flat object: one string and nine small values',
    channel: 'worker',
    series: [{ id: 'flat object', specimen: 'published-flat-object', unit: 'chars', sizes: SIZES }],
    strategies: [],
    published: rows({ of: 'send', series: 'flat object', source: FLAT }, SIZES, [
      { on: 'Bun 1.2.22', runtime: 'bun', versions: '>=1.2.22', ns: [648, 719, 1_260] },
      { on: 'Bun before it', runtime: 'bun', versions: '<1.2.22', ns: [1_360, 2_090, 168_000] },
      { on: 'Node', runtime: 'node', versions: '*', ns: [1_190, 2_690, 304_000] },
    ]),
    folklore: null,
  },
  'bun-arrays': {
    name: 'bun-arrays',
    title: 'structuredClone of an array of numbers or strings',
    channel: 'structured-clone',
    series: ['ints', 'strings', 'mixed'].map((id) => ({
      ...{ id, specimen: `published-${id}`, unit: 'items', sizes: [10, 100, 1000] },
    })),
    strategies: [],
    published: [
      speedup('ints', 10, 7.6),
      speedup('ints', 100, 18.7),
      speedup('ints', 1000, 25.3),
      speedup('strings', 100, 2.1),
      speedup('mixed', 100, 2.3),
    ],
    folklore: null,
  },
  'bun-objects': {
    name: 'bun-objects',
    title: 'structuredClone of an array of flat objects',
    channel: 'structured-clone',
    series: [{ id: 'objects', specimen: 'published-objects', unit: 'items', sizes: [10, 100] }],
    strategies: [],
    published: rows(
      { of: 'clone', series: 'objects', source: OBJECTS },
      [10, 100],
      [
        { on: 'Bun 1.3.10', runtime: 'bun', versions: NEW, ns: [1_560, 14_110] },
        { on: 'Bun 1.3.8', runtime: 'bun', versions: OLD, ns: [2_720, 25_980] },
        { on: 'Node 24.12', runtime: 'node', versions: '*', ns: [2_830, 24_510] },
      ],
    ),
    folklore: null,
  },
  // The post has curves and no table: its advice and what won can be compared with the results, but no single figure.
  'blog-keys': {
    name: 'blog-keys',
    title: 'objects of 0 to 30 keys: raw, stringified in part or as a whole, as bytes',
    channel: 'worker',
    series: [{ id: 'object', specimen: 'random-keys', unit: 'keys', sizes: [0, 1, 2, 3, 5, 10, 20, 30] }],
    strategies: STRATEGY_NAMES,
    published: [],
    folklore: {
      says: 'stringify the whole message',
      strategy: 'json-text',
      source:
        'nolanlawson.com/2016/02/29/high-performance-web-worker-messages (Chrome 48, Firefox 46; raw won in Safari 9)',
      won: [
        { runtime: 'chromium', on: 'Chrome 48', strategy: 'json-text' },
        { runtime: 'firefox', on: 'Firefox 46', strategy: 'json-text' },
        { runtime: 'webkit', on: 'Safari 9', strategy: 'raw' },
      ],
    },
  },
};

/** The points of a preset, each with the published figure for its versions, where one exists. */
export function withPublished(points: readonly SweepPoint[], { published, channel }: Preset): SweepPoint[] {
  return points.map((point) => {
    const row = published.find((one) => point.channel === channel && isAt(one, point, one.versions));
    if (row === undefined) return point;
    const { value, of, on, source } = row;
    return { ...point, published: { value, of, on, source, measured: measured(row, point, points) } };
  });
}

const isAt = (row: PublishedRow, point: SweepPoint, versions: string): boolean =>
  point.strategy === RAW &&
  point.payload === row.series &&
  point.size === row.size &&
  point.runtime.name === row.runtime &&
  inRange(point.runtime.version, versions);

function measured(row: PublishedRow, point: SweepPoint, points: readonly SweepPoint[]): number | null {
  if (row.of === 'send') return point.send?.median ?? null;
  if (row.of === 'clone') return point.roundTrip?.median ?? null;
  const { over } = row;
  const isOld = (one: SweepPoint) =>
    one.channel === point.channel && over !== undefined && isAt(row, one, over);
  const [before, now] = [points.find(isOld)?.roundTrip, point.roundTrip];
  return carries(before, 'size') && carries(now, 'size') ? before.median / now.median : null;
}
