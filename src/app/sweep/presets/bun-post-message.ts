import type { Preset, PublishedRow } from './preset.ts';

/** 11 characters, and 14 x 1024 and 14 x 1024 x 256 of them, which the sources call 14 KB and 3 MB. */
const SIZES = [11, 14_336, 3_670_016] as const;

/** What was timed on which version, and the versions expected to do the same. */
interface Timed {
  on: string;
  runtime: PublishedRow['runtime'];
  versions: string;
  /** ns for each of SIZES. */
  values: readonly [number, number, number];
}

const rows = (series: string, source: string, timed: readonly Timed[]): PublishedRow[] =>
  timed.flatMap(({ values, ...where }) =>
    SIZES.map(
      (size, at): PublishedRow => ({ ...where, series, size, source, of: 'send', value: values[at]! }),
    ),
  );

export const bunStrings: Preset = {
  name: 'bun-strings',
  title: 'postMessage of one string: "500x faster" in Bun 1.2.21',
  channel: 'worker',
  series: [{ id: 'string', specimen: 'published-string', unit: 'chars', sizes: SIZES }],
  strategies: [],
  published: rows('string', 'bun.com/blog/how-we-made-postMessage-string-500x-faster', [
    { on: 'Bun 1.2.21', runtime: 'bun', versions: '>=1.2.21', values: [543, 460, 593] },
    { on: 'Bun 1.2.20', runtime: 'bun', versions: '<1.2.21', values: [598, 1_350, 326_290] },
    { on: 'Node 24.6', runtime: 'node', versions: '*', values: [806, 1_220, 242_110] },
  ]),
  folklore: null,
};

export const bunFlatObject: Preset = {
  name: 'bun-flat-object',
  title: 'postMessage of a flat object: one string and nine small values',
  channel: 'worker',
  series: [{ id: 'flat object', specimen: 'published-flat-object', unit: 'chars', sizes: SIZES }],
  strategies: [],
  published: rows('flat object', 'github.com/oven-sh/bun/pull/22279', [
    { on: 'Bun 1.2.22', runtime: 'bun', versions: '>=1.2.22', values: [648, 719, 1_260] },
    { on: 'Bun before it', runtime: 'bun', versions: '<1.2.22', values: [1_360, 2_090, 168_000] },
    { on: 'Node', runtime: 'node', versions: '*', values: [1_190, 2_690, 304_000] },
  ]),
  folklore: null,
};
