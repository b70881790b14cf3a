/** Makes a fixture of a value's shape, runs it, and compares what it makes with the value. */
import { serialize } from 'node:v8';
import { classify } from '../../../src/core/classify/classify.ts';
import type { PostContext } from '../../../src/core/classify/match.ts';
import { describe } from '../../../src/core/describe/describe.ts';
import type { DescribeLimits } from '../../../src/core/describe/shape/limits.ts';
import { fixtureFromShape } from '../../../src/core/recording/fixture/fixture-module.ts';
import type { FixtureModule } from '../../../src/core/recording/fixture/shape/module-text.ts';
import { ENGINES, STANDARD } from '../../../src/engines/index.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import { runningRuntime } from '../../../src/probe/running-runtime.ts';
import { probeFor } from '../../support/probe.ts';

const SEED = 1;
const context: PostContext = { runtime: runningRuntime(), channel: 'worker', transferring: false };

/** What makes the value. It may be a promise, which is not to be awaited. */
export async function factoryOf({ text }: FixtureModule): Promise<() => unknown> {
  const { default: make } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    default: () => unknown;
  };
  return make;
}

const probe = await probeFor();
export const shapeOf = (value: unknown, limits: Partial<DescribeLimits> = {}): Shape =>
  describe(value, probe, { limits });

export const classOf = (shape: Shape): string =>
  classify(shape, ENGINES[context.runtime.engine], STANDARD, context).verdict.class;

/** null where the engine refuses the value. */
export function wireBytes(value: unknown): number | null {
  try {
    return serialize(value).length;
  } catch {
    return null;
  }
}

/** Values and sums of sizes of each kind at each pattern. */
function totals(
  { patterns }: Shape,
  what: (row: Facts) => string,
): Map<string, { count: number; size: number }> {
  const all = new Map<string, { count: number; size: number }>();
  for (const row of patterns) {
    const key = `${row.pattern} ${what(row)}`;
    const was = all.get(key) ?? { count: 0, size: 0 };
    const size = row.size?.total ?? row.bytes?.total ?? 0;
    all.set(key, { count: was.count + row.count, size: was.size + size });
  }
  return all;
}

export interface MadeAgain {
  module: FixtureModule;
  /** Empty when all counts are equal. */
  counts: string[];
  flags: string[];
  bytes: { was: number | null; is: number | null };
  classes: { was: string; is: string };
}

function compared(was: Shape, is: Shape, what: (row: Facts) => string): string[] {
  const [before, after] = [totals(was, what), totals(is, what)];
  const lines: string[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(key), after.get(key)].map((of) => `${of?.count ?? 0}, ${of?.size ?? 0}`);
    if (one !== other) lines.push(`${key}: ${one} -> ${other}`);
  }
  return lines;
}

export async function madeAgain(build: () => unknown): Promise<MadeAgain> {
  const was = shapeOf(build());
  const bytes = wireBytes(build());
  const module = fixtureFromShape(was, SEED, bytes);
  const make = await factoryOf(module);
  const is = shapeOf(make());
  return {
    module,
    counts: compared(was, is, ({ kind }) => kind),
    flags: compared(was, is, ({ kind, flags, tag }) => [kind, tag ?? '', ...flags].join(' ')),
    bytes: { was: bytes, is: wireBytes(make()) },
    classes: { was: classOf(was), is: classOf(is) },
  };
}
