/** Keeps a value as a recording does, makes it again, and compares. */
import { serialize } from 'node:v8';
import { classify } from '../../../src/engines/classify/classify.ts';
import type { PostContext } from '../../../src/engines/classify/match.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import { runningRuntime } from '../../../src/engines/probe/process.ts';
import type { ValueTree } from '../../../src/model/documents/recorded/value-tree.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import { moduleOf } from '../../../src/record/module/module-of.ts';
import { chanceFrom } from '../../../src/record/values/masks.ts';
import { Sample, type SampleOptions } from '../../../src/record/values/sampler.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { probeFor } from '../../support/probe.ts';

type FixtureModule = ReturnType<typeof moduleOf>;

const context: PostContext = { runtime: runningRuntime(), channel: 'worker', transferring: false };
const probe = await probeFor();

export const KEPT: SampleOptions = {
  ...{ probe, values: 'kept', chance: chanceFrom('seed') },
  ...{ nodes: Number.POSITIVE_INFINITY, maxBytes: 10_000_000 },
};
export const MASKED: SampleOptions = { ...KEPT, values: 'none' };

/** As a recording has it after the message was posted. */
export function treeOf(value: unknown, options = KEPT): ValueTree {
  const sample = new Sample(value, options);
  sample.finish(true);
  return JSON.parse(JSON.stringify(sample.tree)) as ValueTree;
}

/** What makes the value. It may be a promise, which is not to be awaited. */
export async function factoryOf({ text }: FixtureModule): Promise<() => unknown> {
  const { default: make } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
    default: () => unknown;
  };
  return make;
}

export const shapeOf = (value: unknown, asked = probe): Shape => describe(value, asked);

const classOf = (shape: Shape): string =>
  classify(shape, ENGINES[context.runtime.engine], context).verdict.class;

/** null where the engine refuses the value. */
export function wireBytes(value: unknown): number | null {
  try {
    return serialize(value).length;
  } catch {
    return null;
  }
}

/** Values and sums of sizes of each kind at each pattern. */
function totals({ patterns }: Shape, what: (row: Facts) => string): Map<string, string> {
  const all = new Map<string, [count: number, size: number]>();
  for (const row of patterns) {
    const key = `${row.pattern} ${what(row)}`;
    const [count, size] = all.get(key) ?? [0, 0];
    all.set(key, [count + row.count, size + (row.size?.total ?? row.bytes?.total ?? 0)]);
  }
  return new Map([...all].map(([key, sums]) => [key, sums.join(', ')]));
}

function compared(was: Shape, is: Shape, what: (row: Facts) => string): string[] {
  const [before, after] = [totals(was, what), totals(is, what)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) =>
    before.get(key) === after.get(key) ? [] : [`${key}: ${before.get(key)} -> ${after.get(key)}`],
  );
}

export interface MadeAgain {
  module: FixtureModule;
  /** Empty when all counts are equal. */
  counts: string[];
  flags: string[];
  bytes: { was: number | null; is: number | null };
  classes: { was: string; is: string };
}

export async function madeAgain(build: () => unknown, options = KEPT): Promise<MadeAgain> {
  // One asks for the storage of so many texts at the most: each message has its own.
  const own = await probeFor();
  const [was, bytes] = [shapeOf(build(), own), wireBytes(build())];
  const tree = treeOf(build(), { ...options, probe: await probeFor() });
  const module = moduleOf(tree, options.values === 'kept' ? 'kept' : 'masked');
  const make = await factoryOf(module);
  const is = shapeOf(make(), await probeFor());
  return {
    module,
    counts: compared(was, is, ({ kind }) => kind),
    flags: compared(was, is, ({ kind, flags, tag }) => [kind, tag ?? '', ...flags].join(' ')),
    bytes: { was: bytes, is: wireBytes(make()) },
    classes: { was: classOf(was), is: classOf(is) },
  };
}
