import { z } from 'zod';
import { growthOf, OVER, SIZE, sizeOf } from '../../core/units.ts';
import { LIMIT_LEVELS, LIMITS, type Limit, type LimitLevel, type LimitName } from '../../model/check.ts';
import { COST_CLASSES, type CostClass } from '../../model/names.ts';
import { expecting, knownObject } from './saying.ts';

const LEVEL = z.enum(LIMIT_LEVELS);

/** A limit is a value (then it is an error to break it), [level, value], or "off". */
function limit<T extends z.ZodType>(
  valueSaying: (says: Says) => T,
  what: string,
  example: string,
  description: string,
) {
  const says = expecting(`${what}, for example ${example} or ["warn", ${example}], or "off"`);
  const value = valueSaying(says);
  return z.union([value, z.literal('off'), z.tuple([LEVEL, value])], says).meta({ description });
}

const levelOnly = (description: string) =>
  z.enum(LIMIT_LEVELS, expecting('"error", "warn" or "off"')).meta({ description });

type Says = ReturnType<typeof expecting>;
/** An effect under 5 % counts as none, so a smaller limit would judge noise. */
const LEAST_GROWTH = 0.05;
const growth = (says: Says) => z.string(says).regex(OVER, says);
const measuredGrowth = (says: Says) =>
  growth(says).refine((text) => (growthOf(text) ?? 0) >= LEAST_GROWTH, says);
const whole = (says: Says) => z.union([z.int(says).nonnegative(says), growth(says)], says);

export const limitsSchema = knownObject(
  {
    class: limit(
      (says) => z.enum([...COST_CLASSES, 'baseline'], says),
      `one of ${COST_CLASSES.join(', ')}, or baseline (no worse than it was)`,
      '"in-memory"',
      'At least this good.',
    ).optional(),
    maxBytes: limit(
      (says) => z.union([z.string(says).regex(SIZE, says), growth(says)], says),
      'a size with its unit (B, kB, MB, GB, KiB, MiB, GiB) or a growth over the baseline ("+10%")',
      '"64 kB"',
      'Bytes on the wire where the engine tells, else of the JSON text.',
    ).optional(),
    maxNodes: limit(
      whole,
      'a whole number or a growth ("+10%")',
      '1000',
      'Values in the payload.',
    ).optional(),
    maxDepth: limit(whole, 'a whole number or a growth ("+10%")', '4', 'Levels below the root.').optional(),
    maxAmplification: limit(
      (says) => z.number(says).min(1, says),
      'a number from 1 on',
      '1.5',
      'Bytes copied over bytes meant: a small view drags its whole buffer along.',
    ).optional(),
    lossy: levelOnly('Values that do not arrive as they were sent.').optional(),
    rejected: levelOnly('Values that postMessage refuses.').optional(),
    transfer: limit(
      (says) => z.literal('all', says),
      '"all"',
      '"all"',
      'Every buffer that can be transferred is among the paths of `transfer`.',
    ).optional(),
    time: limit(
      measuredGrowth,
      'a growth of at least 5 % (less is noise)',
      '"+10%"',
      'Round trip against the payload of the baseline, both measured in the same run.',
    ).optional(),
    memory: limit(
      measuredGrowth,
      'a growth of at least 5 % (less is noise)',
      '"+20%"',
      'Peak memory against the payload of the baseline, both measured in the same run.',
    ).optional(),
  } satisfies Record<LimitName, z.ZodType>,
  'an object of limits, for example { "class": "in-memory" }',
);

/** Limits as they are written. */
export type LimitsText = z.input<typeof limitsSchema>;
type Written = LimitsText[LimitName];

const isLevel = (value: unknown): value is LimitLevel => LIMIT_LEVELS.some((level) => level === value);

/** What the checked text means; undefined when it is not there. */
function limitOf(name: LimitName, written: Written, preset: boolean): Limit | undefined {
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
  if (name === 'maxBytes') return { value: sizeOf(value) ?? 0, text: value };
  return value === 'baseline'
    ? { value: true, against: 'baseline', text: 'as in the baseline' }
    : { value: value as CostClass, text: value };
}

/** Later ones go first: a preset, what the config says for all, what a payload says itself. */
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
