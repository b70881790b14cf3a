import { STRATEGY_NAMES } from '../../../model/vocabulary/sweep.ts';
import type { Preset } from './preset.ts';

/** The post has curves and no table: its advice and what won can be compared with the results, but no single figure. */
export const blogKeys: Preset = {
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
};
