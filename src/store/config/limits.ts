import * as z from 'zod/mini';
import { growthOf, OVER, SIZE, sizeOf } from '../../core/units.ts';
import {
  LIMIT_LEVELS,
  LIMITS,
  type Limit,
  type LimitLevel,
  type LimitName,
} from '../../model/gate/limits.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import { described, type Schema } from '../../model/schema.ts';
import { expecting, knownObject, optional } from './issues.ts';

const LEVEL = z.enum(LIMIT_LEVELS);

/** A limit is a value (then it is an error to break it), [level, value], or "off". */
function limit<T extends Schema>(
  valueSchema: (expected: Expected) => T,
  what: string,
  example: string,
  description: string,
) {
  const expected = expecting(`${what}, for example ${example} or ["warn", ${example}], or "off"`);
  const value = valueSchema(expected);
  return optional(
    described(z.union([value, z.literal('off'), z.tuple([LEVEL, value])], expected), description),
  );
}

const levelOnly = (description: string) =>
  optional(described(z.enum(LIMIT_LEVELS, expecting('"error", "warn" or "off"')), description));

type Expected = ReturnType<typeof expecting>;
/** An effect under 5 % counts as none, so a smaller limit would compare noise. */
const MIN_GROWTH = 0.05;
const growth = (expected: Expected) => z.string(expected).check(z.regex(OVER, expected));
const measuredGrowth = (expected: Expected) =>
  growth(expected).check(z.refine((text) => (growthOf(text) ?? 0) >= MIN_GROWTH, expected));
const whole = (expected: Expected) =>
  z.union([z.int(expected).check(z.nonnegative(expected)), growth(expected)], expected);

export const limitsSchema = knownObject(
  {
    class: limit(
      (expected) => z.enum([...COST_CLASSES, 'baseline'], expected),
      `one of ${COST_CLASSES.join(', ')}, or baseline (no worse than it was)`,
      '"in-memory"',
      'At least this good.',
    ),
    maxBytes: limit(
      (expected) => z.union([z.string(expected).check(z.regex(SIZE, expected)), growth(expected)], expected),
      'a size with its unit (B, kB, MB, GB, KiB, MiB, GiB) or a growth over the baseline ("+10%")',
      '"64 kB"',
      'Bytes that a post copies: `bytes.copied` of the report. What is moved or shared does not count.',
    ),
    maxNodes: limit(whole, 'a whole number or a growth ("+10%")', '1000', 'Values in the payload.'),
    maxDepth: limit(whole, 'a whole number or a growth ("+10%")', '4', 'Levels below the root.'),
    maxAmplification: limit(
      (expected) => z.number(expected).check(z.minimum(1, expected)),
      'a number from 1 on',
      '1.5',
      'Bytes copied over bytes meant: a small view drags its whole buffer along.',
    ),
    lossy: levelOnly('Values that do not arrive as they were sent.'),
    rejected: levelOnly('Values that postMessage refuses.'),
    transfer: limit(
      (expected) => z.literal('all', expected),
      '"all"',
      '"all"',
      'Every buffer that can be transferred is among the paths of `transfer`.',
    ),
    time: limit(
      measuredGrowth,
      'a growth of at least 5 % (less is noise)',
      '"+10%"',
      'Round trip against the payload of the baseline, both measured in the same run.',
    ),
    memory: limit(
      measuredGrowth,
      'a growth of at least 5 % (less is noise)',
      '"+20%"',
      'Peak memory against the payload of the baseline, both measured in the same run.',
    ),
  } satisfies Record<LimitName, Schema>,
  'an object of limits, for example { "class": "in-memory" }',
);

/** Limits as the config has them. */
type LimitsText = z.input<typeof limitsSchema>;
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
} as const satisfies Record<string, LimitsText>;

export const PRESET_NAMES = ['recommended', 'strict'] as const satisfies readonly (keyof typeof PRESETS)[];

type WrittenLimit = LimitsText[LimitName];

const isLevel = (value: unknown): value is LimitLevel => LIMIT_LEVELS.some((level) => level === value);

/** The limit that a valid text means; undefined for an absent one. */
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
  preset: LimitsText,
  ...said: (LimitsText | undefined)[]
): Partial<Record<LimitName, Limit>> {
  const merged: Partial<Record<LimitName, Limit>> = {};
  for (const name of LIMITS) {
    const own = said.map((limits) => limits?.[name]).findLast((written) => written !== undefined);
    const limit = own === undefined ? limitOf(name, preset[name], true) : limitOf(name, own, false);
    if (limit) merged[name] = limit;
  }
  return merged;
}
