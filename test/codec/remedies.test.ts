import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPasted } from '../../src/codec/code/javascript.ts';
import { REMEDIES, type RemedyName, SIMPLEST_FIRST } from '../../src/codec/remedies/index.ts';
import { RULE_BOOKS } from '../../src/engines/index.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import type { Remedy } from '../../src/model/rules/remedy.ts';
import { seeded } from '../../src/stats/intervals/random.ts';
import { usually } from '../support/whole.ts';
import { CASES } from './cases/index.ts';
import { FACTS, shapeOf } from './codecs/emitted.ts';
import { hasOddElements, plainCopy } from './compiled/arrival.ts';
import { schemaOf } from './compiled/codec.ts';
import { mutated } from './compiled/mutated.ts';
import { builderAt } from './compiled/trial.ts';
import { expectedOf, outcomeOf, pastedOutcomeOf } from './outcomes.ts';

const REMEDY_NAMES = Object.keys(REMEDIES) as RemedyName[];

for (const name of REMEDY_NAMES) {
  const remedy: Remedy = REMEDIES[name];

  test(`${name}: is in the table of cases under its name`, () => {
    assert.equal(remedy.name, name);
    assert.ok(CASES[name].length >= 4);
  });

  for (const [what, make, plan, outcome = []] of CASES[name])
    test(`${name}: ${what}`, async () => {
      assert.deepEqual(await outcomeOf(remedy, plan, make), outcome);
      const expected = expectedOf(outcome, remedy, plan, make);
      assert.deepEqual(await pastedOutcomeOf(remedy, plan, make), expected, 'as pasted');
      assert.equal(Reflect.ownKeys(Object.prototype).includes('polluted'), false);
    });
}

/** After a post with the transfer list the sender's value cannot be posted any more. */
function isLostBySending({ apply, transfer }: Remedy, plan: Plan, make: () => unknown): boolean {
  const value = make();
  const message = apply(value, plan);
  structuredClone(message, { transfer: transfer?.(message, plan) ?? [] });
  try {
    structuredClone(value);
    return false;
  } catch {
    return true;
  }
}

test('a remedy that takes something from the sender says so among its costs, in its code too', () => {
  const losing = new Set<string>();
  for (const remedy of Object.values<Remedy>(REMEDIES))
    for (const [what, make, plan, outcome = []] of CASES[remedy.name as RemedyName]) {
      if (outcome === 'refused' || !isLostBySending(remedy, plan, make)) continue;
      losing.add(remedy.name);
      assert.match(remedy.costs?.join() ?? '', /the sender loses .*,posting the same object again/, what);
      for (const cost of remedy.costs ?? [])
        assert.ok(
          remedy.codec(plan).calls.sender.includes(`// ${cost}\n`),
          `${remedy.name}, ${what}: ${cost}`,
        );
    }
  assert.deepEqual([...losing], ['transfer']);
});

const SEED = 42;
/** Most remedies fit most values: the rare ones decide how many rounds it takes. */
const [ROUNDS, ENOUGH] = usually<readonly [number, number]>([[100, 2]], [[600, 25]]).at(-1)!;

const COMMON = 'json-text compiled repack rebuild plain transfer slice-view typed-array'.split(' ');
const PROPOSED = { v8: COMMON, jsc: [...COMMON, 'unwrap-string'] };

/** Losses that facts cannot exclude. */
const isDocumented = (loss: string) => / (shared (reference|buffer) became a copy|more losses)$/.test(loss);

/** False when the remedy refuses: its code then sends the value as it is. */
async function restores(remedy: Remedy, plan: Plan, make: () => unknown, round: string): Promise<boolean> {
  const where = `${remedy.name} ${JSON.stringify(plan)} ${round}`;
  const outcome = await outcomeOf(remedy, plan, make);
  assert.deepEqual(await pastedOutcomeOf(remedy, plan, make), expectedOf(outcome, remedy, plan, make), where);
  if (outcome === 'refused') return false;
  const undocumented = outcome.filter((loss) => !isDocumented(loss));
  assert.deepEqual(undocumented, [], where);
  return true;
}

const listOf = (make: (i: number) => unknown) => () => Array.from({ length: 120 }, (_, i) => make(i));

/** Seldom among random values. */
const RARE: readonly (() => unknown)[] = [
  listOf((i) => i),
  listOf((i) => i / 2),
  listOf((i) => new Date(i % 7 === 0 ? Number.NaN : i * 1e9)),
  listOf((i) => BigInt(i) - 50n),
  () => ({ id: 1, task: { text: 'long '.repeat(80) } }),
  () => Object.freeze(listOf(String)()),
];

for (const engine of ['v8', 'jsc'] as const)
  test(`random values as ${engine}: proposed plans restore an equal value (seed ${SEED})`, async () => {
    const tried = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const make = round % 8 === 0 ? RARE[(round / 8) % RARE.length]! : builderAt(SEED, round);
      const plain = make && plainCopy(make());
      if (make === null || plain === null || hasOddElements(make())) continue;
      const shape = shapeOf(make(), engine);
      const facts = { ...FACTS, schema: schemaOf(plain.copy) };
      for (const remedy of Object.values<Remedy>(REMEDIES)) {
        const times = tried.get(remedy.name) ?? 0;
        const plans = times < ENOUGH ? remedy.plans(shape, facts) : [];
        let restored = 0;
        for (const plan of plans) {
          if (await restores(remedy, plan, make, `round ${round}`)) restored++;
          const changed = () => mutated(make(), seeded(round)).value;
          // Code that names its buffers, `[payload.data.buffer]`, is for messages that have them.
          const isForAll = !('inline' in plan);
          if (isForAll && plainCopy(changed()) && !hasOddElements(changed()))
            await restores(remedy, plan, changed, `round ${round}, changed`);
        }
        tried.set(remedy.name, times + restored);
      }
    }
    for (const name of PROPOSED[engine])
      assert.ok((tried.get(name) ?? 0) >= Math.min(5, ENOUGH), `${name} was tried too rarely`);
  });

/** No finding names them: they are proposed by the payload's facts alone. */
const WITHOUT_RULE: readonly RemedyName[] = ['image-buffer', 'parse-text', 'patch'];

test('every remedy is in the order of simplicity, and named by a rule; rules name no other', () => {
  assert.deepEqual([...SIMPLEST_FIRST].sort(), [...REMEDY_NAMES].sort());
  const named = new Set(
    Object.values(RULE_BOOKS).flatMap((rules) => rules.flatMap(({ remedies = [] }) => remedies)),
  );
  assert.deepEqual([...named, ...WITHOUT_RULE].sort(), [...REMEDY_NAMES].sort());
});

// Base64 in engines that lack a part of what others have.

const SOURCE = asPasted(REMEDIES.base64.codec({ path: '$', paths: ['$'] }).source);

const codecIn = (global: object) =>
  new Function('globalThis', `${SOURCE}\nreturn { toMessage, fromMessage };`)(global) as {
    toMessage(payload: unknown): object;
    fromMessage(message: unknown): unknown;
  };

test('the text is the same by the engine, by Buffer and by btoa, and each reads it', (t) => {
  const bytes = new Uint8Array(30_000).map((_, i) => i * 7919);
  const message = { base64: Buffer.from(bytes).toString('base64'), type: 'Uint8Array' };
  const calls: string[] = [];
  const setEngine = (has: boolean) => {
    function toBase64(this: Uint8Array) {
      calls.push('to');
      return Buffer.from(this).toString('base64');
    }
    const fromBase64 = (text: string) => calls.push('from') && new Uint8Array(Buffer.from(text, 'base64'));
    Object.assign(Uint8Array.prototype, { toBase64: has ? toBase64 : undefined });
    Object.assign(Uint8Array, { fromBase64: has ? fromBase64 : undefined });
  };
  const known = [Uint8Array.prototype, Uint8Array].map(Object.getOwnPropertyDescriptors);
  t.after(() => {
    for (const [at, name] of ['toBase64', 'fromBase64'].entries()) {
      const holder = [Uint8Array.prototype, Uint8Array][at]!;
      Reflect.deleteProperty(holder, name);
      Object.defineProperties(holder, known[at]!);
    }
  });
  for (const [has, global] of [
    [true, {}],
    [false, { Buffer }],
    [false, {}],
  ] as const) {
    setEngine(has);
    const { toMessage, fromMessage } = codecIn(global);
    assert.deepEqual(toMessage(bytes), message);
    assert.deepEqual(fromMessage(message), bytes);
  }
  assert.deepEqual(calls, ['to', 'from']);
});

test('a Buffer becomes a Uint8Array if Buffer is missing, and no name creates an object of a different class', () => {
  const message = codecIn({ Buffer }).toMessage(Buffer.from([1, 2]));
  assert.deepEqual(message, { base64: 'AQI=', type: 'Buffer' });
  assert.deepEqual(codecIn({}).fromMessage(message), new Uint8Array([1, 2]));
  const other = { base64: 'AQI=', type: 'Function' };
  assert.deepEqual(codecIn(globalThis).fromMessage(other), new Uint8Array([1, 2]));
});
