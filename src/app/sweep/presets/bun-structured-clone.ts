import type { Preset, PublishedRow } from './preset.ts';

const ARRAYS = 'github.com/oven-sh/bun/pull/26814';
const OBJECTS = 'github.com/oven-sh/bun/pull/26818';

/** 1.3.10 introduced both paths. */
const NEW = '>=1.3.10';
const OLD = '<1.3.10';

const speedup = (series: string, size: number, value: number): PublishedRow => ({
  ...{ series, size, value, of: 'speedup', on: 'Bun 1.3.10 over 1.3.8', source: ARRAYS },
  ...{ runtime: 'bun', versions: NEW, over: OLD },
});

export const bunArrays: Preset = {
  name: 'bun-arrays',
  title: 'structuredClone of an array of numbers or strings',
  channel: 'structured-clone',
  series: [
    { id: 'ints', specimen: 'published-ints', unit: 'items', sizes: [10, 100, 1000] },
    { id: 'strings', specimen: 'published-strings', unit: 'items', sizes: [10, 100, 1000] },
    { id: 'mixed', specimen: 'published-mixed', unit: 'items', sizes: [10, 100, 1000] },
  ],
  strategies: [],
  published: [
    speedup('ints', 10, 7.6),
    speedup('ints', 100, 18.7),
    speedup('ints', 1000, 25.3),
    speedup('strings', 100, 2.1),
    speedup('mixed', 100, 2.3),
  ],
  folklore: null,
};

const cloned = (
  where: Pick<PublishedRow, 'on' | 'runtime' | 'versions'>,
  [ten, hundred]: readonly [number, number],
): PublishedRow[] =>
  [
    { size: 10, value: ten },
    { size: 100, value: hundred },
  ].map((row) => ({ ...where, ...row, series: 'objects', of: 'clone', source: OBJECTS }));

export const bunObjects: Preset = {
  name: 'bun-objects',
  title: 'structuredClone of an array of flat objects',
  channel: 'structured-clone',
  series: [{ id: 'objects', specimen: 'published-objects', unit: 'items', sizes: [10, 100] }],
  strategies: [],
  published: [
    ...cloned({ on: 'Bun 1.3.10', runtime: 'bun', versions: NEW }, [1_560, 14_110]),
    ...cloned({ on: 'Bun 1.3.8', runtime: 'bun', versions: OLD }, [2_720, 25_980]),
    ...cloned({ on: 'Node 24.12', runtime: 'node', versions: '*' }, [2_830, 24_510]),
  ],
  folklore: null,
};
