/** Parses the limits of a config and merges them with its preset. */
import type { Config, LimitsConfig } from '../../model/documents/config.ts';
import {
  LIMIT_LEVELS,
  LIMITS,
  type Limit,
  type LimitLevel,
  type LimitName,
} from '../../model/gate/limits.ts';
import type { CostClass } from '../../model/names.ts';
import { growthOf, sizeOf } from '../../model/units.ts';

/** Default limits by the name in `extends`; limits of the config and the payload override them. */
export const PRESETS = {
  recommended: {
    class: 'baseline',
    maxBytes: '+10%',
    maxNodes: '+10%',
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
} as const satisfies Record<NonNullable<Config['extends']>, LimitsConfig>;

type WrittenLimit = LimitsConfig[LimitName];

const isLevel = (value: unknown): value is LimitLevel => LIMIT_LEVELS.some((level) => level === value);

/** Parses a valid limit; undefined if the limit is absent. */
function limitOf(name: LimitName, written: WrittenLimit, preset: boolean): Limit | undefined {
  if (written === undefined) return undefined;
  const [level, value] = Array.isArray(written)
    ? written
    : isLevel(written)
      ? [written, true as const]
      : ['error' as const, written];
  return { level, ...meaningOf(name, value), ...(preset ? { preset: true as const } : {}) };
}

function meaningOf(name: LimitName, value: string | number | true): Omit<Limit, 'level'> {
  if (name === 'lossy' || name === 'rejected') return { value: true, text: 'none' };
  if (value === true || name === 'transfer') return { value: true, text: 'all' };
  if (typeof value === 'number') return { value, text: String(value) };
  const grown = growthOf(value);
  if (grown !== null) return { value: grown, against: 'baseline', text: value };
  if (name !== 'class') return { value: sizeOf(value) ?? 0, text: value };
  return value === 'baseline'
    ? { value: true, against: 'baseline', text: 'as in the baseline' }
    : { value: value as CostClass, text: value };
}

/** Later arguments override earlier ones: the preset, the config, the payload. */
export function mergedLimits(
  preset: LimitsConfig,
  ...said: (LimitsConfig | undefined)[]
): Partial<Record<LimitName, Limit>> {
  const merged: Partial<Record<LimitName, Limit>> = {};
  for (const name of LIMITS) {
    const own = said.map((limits) => limits?.[name]).findLast((written) => written !== undefined);
    const limit = own === undefined ? limitOf(name, preset[name], true) : limitOf(name, own, false);
    if (limit) merged[name] = limit;
  }
  return merged;
}
