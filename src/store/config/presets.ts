import type { LimitsText } from './limits.ts';

/** Default limits by the name in `extends`; limits of the config and the payload override them. */
export const PRESETS = {
  recommended: {
    class: 'baseline',
    maxBytes: '+10%',
    maxAmplification: 2,
    lossy: 'warn',
    rejected: 'error',
    transfer: ['warn', 'all'],
  },
  strict: {
    class: 'baseline',
    maxBytes: '+5%',
    maxNodes: '+5%',
    maxDepth: '+0%',
    maxAmplification: 1.1,
    lossy: 'error',
    rejected: 'error',
    transfer: 'all',
    time: ['warn', '+10%'],
  },
} as const satisfies Record<string, LimitsText>;

export const PRESET_NAMES = ['recommended', 'strict'] as const satisfies readonly (keyof typeof PRESETS)[];
