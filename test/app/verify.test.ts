/** The rule book on real binaries, as it is and with a wrong row. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bundleForPage } from '../../src/app/sources/bundle.ts';
import { verify } from '../../src/app/verify.ts';
import { loadSpecimens } from '../../src/cli/actions/rules.ts';
import { ENGINES, PLATFORM_POSTS, RULE_BOOKS } from '../../src/engines/index.ts';
import type { SpecimenPair, VerifyReport } from '../../src/model/report/verify.ts';
import type { PlatformTable, Rule } from '../../src/model/rules/rule.ts';
import type { FoundRuntime, Guest, RuntimeDriver } from '../../src/model/run/runtime.ts';
import { runtimeDriver } from '../../src/runtimes/driver.ts';
import * as make from '../make.ts';
import { missing, processDriver, type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { onlyInWhole, usually } from '../support/whole.ts';

const specimens = await loadSpecimens(fileURLToPath(new URL('../../fixtures/payloads', import.meta.url)));
const only = (...rules: string[]) =>
  specimens.filter(({ of }: SpecimenPair) => 'rule' in of && rules.includes(of.rule));

/** One guest for all tests on Bun. */
let bun: ReturnType<typeof remembering> | null = null;
after(async () => (await bun)?.close());

const verifiedOn = (
  runtimes: FoundRuntime[],
  driver: RuntimeDriver,
  pairs: SpecimenPair[],
  more: Partial<Parameters<typeof verify>[0]> = {},
): Promise<VerifyReport> =>
  verify(
    { specimens: pairs, runtimes, timeoutMs: 120_000, cwd: process.cwd(), ...more },
    { driver, emit: () => {} },
  );

async function verified(pairs: SpecimenPair[], engines = ENGINES): Promise<VerifyReport> {
  const here = runtime('bun@1.4.5');
  bun ??= remembering(here);
  const { driver } = await bun;
  return verifiedOn([here], driver, pairs, { engines });
}

/** Verified on Bun with a book in which one rule is changed. */
const verifiedWith = (pairs: SpecimenPair[], id: string, change: Partial<Rule>): Promise<VerifyReport> => {
  const rules = ENGINES.jsc.rules.map((rule) => (rule.id === id ? { ...rule, ...change } : rule));
  return verified(pairs, { ...ENGINES, jsc: { ...ENGINES.jsc, rules } });
};

const skip = missing('bun@1.4.5');

test('firefox: the rules for texts hold on both sides of the size limits for sharing', {
  skip: missing('firefox') || onlyInWhole,
}, async () => {
  const pairs = only('spidermonkey/two-byte-copied', 'spidermonkey/unshared-string');
  const { results } = await verifiedOn([runtime('firefox')], runtimeDriver(bundleForPage), pairs);
  // On a busy machine time may not tell: then nothing is claimed.
  assert.deepEqual(
    results.map(({ rule, holds, fires, nearMiss }) => [rule, holds !== false, fires.bytes, nearMiss.bytes]),
    [
      ['spidermonkey/two-byte-copied', true, 512, 514],
      ['spidermonkey/two-byte-copied over window', true, 512, 514],
      ['spidermonkey/unshared-string', true, 1024, 1026],
    ],
  );
});

test('a page gets no request about messages to other processes', async () => {
  const here = { ...make.runtime('webkit@2.52.1'), spec: 'webkit', binary: '', from: 'path' };
  const driver: RuntimeDriver = { start: () => assert.fail('a page was asked') };
  assert.deepEqual((await verifiedOn([here], driver, only('spec/json-cycle'))).results, []);
});

test('a wrong row that fires on everything is contradicted', { skip }, async () => {
  const id = 'jsc/odd-property';
  const { holds, results } = await verifiedWith(only(id), id, { when: { kind: 'object' } });
  assert.equal(holds, false);
  assert.match(results[0]?.why ?? '', /near miss/);
});

test('a specimen for a different engine need not fire; its verdict is confirmed', { skip }, async () => {
  const report = await verified(only('v8/indexed-key', 'v8/holey-array', 'webkit/frozen-array'));
  assert.deepEqual(
    report.results.map(({ inScope, holds }) => [inScope, holds]),
    Array(3).fill([false, true]),
  );
});

const objects = fileURLToPath(new URL('../../fixtures/payloads/platform-objects.js', import.meta.url));
const OBJECTS_ON = usually<RuntimeSpec>(
  ['bun@1.4.5'],
  ['node', 'node@26.10.0', 'bun@1.3.9', 'deno@2.9.6', 'deno@2.5.6', 'chromium', 'firefox', 'webkit'],
);

for (const spec of OBJECTS_ON) {
  test(`${spec}: objects of the platform become what the table says, and a wrong row is contradicted`, {
    skip: missing(spec),
  }, async () => {
    const wrong = { ...PLATFORM_POSTS, Blob: { [runtime(spec).name]: [{ as: ['lost'] }] } } as PlatformTable;
    const here = [runtime(spec)];
    const report = await verifiedOn(here, runtimeDriver(bundleForPage), [], { objects, table: wrong });
    const made = report.objects.filter(({ seen }) => seen !== null);
    assert.ok(made.length >= 40, `${made.length} were made`);
    assert.equal(report.holds, false);
    assert.deepEqual(
      [...new Set(report.objects.filter(({ holds }) => holds === false).map((one) => one.class))],
      ['Blob'],
    );
  });
}

/** One guest; a value is described and posted once, whatever book its answer is compared with. */
async function remembering(here: FoundRuntime): Promise<{ driver: RuntimeDriver; close(): Promise<void> }> {
  const guest = await processDriver.start(here, { timeoutMs: 120_000, cwd: process.cwd() });
  const answers = new Map<string, Promise<unknown>>();
  const ask: Guest['ask'] = (request, options) => {
    const key = JSON.stringify(request);
    const answer = answers.get(key) ?? guest.ask(request, options);
    answers.set(key, answer);
    return answer as ReturnType<Guest['ask']> as never;
  };
  const start = async () => ({ hello: guest.hello, dead: false, ask, close: async () => undefined });
  return { driver: { start }, close: () => guest.close() };
}

/** Ways to be wrong about one rule, and what verify then says. */
const MISTAKES: readonly [name: string, change: (rule: Rule) => Rule[], why: RegExp][] = [
  ['gone', () => [], /does not fire on its own specimen/],
  [
    'in too few versions',
    (rule) => [{ ...rule, scope: { ...rule.scope, runtimes: { chromium: '*' } } }],
    /the engine did something else with the specimen/,
  ],
  [
    'on too few channels',
    (rule) => [{ ...rule, scope: { ...rule.scope, channels: ['ipc-advanced'] } }],
    /does not fire on its own specimen/,
  ],
];

for (const spec of usually(['bun@1.4.5'], ['node@24.21.0', 'bun@1.3.10', 'deno@2.9.6'])) {
  test(`${spec}: a wrong row for any rule that takes a path is contradicted`, {
    skip: missing(spec),
  }, async () => {
    const here = runtime(spec);
    const { rules } = ENGINES[here.engine];
    const { driver, close } = await remembering(here);
    const check = (ids: readonly string[], some: readonly Rule[]) => {
      const engines = { ...ENGINES, [here.engine]: { ...ENGINES[here.engine], rules: some } };
      return verifiedOn([here], driver, only(...ids), { engines });
    };
    const taking = RULE_BOOKS[here.engine].filter(
      ({ blocks, level }) => blocks !== undefined || level === 'rejected',
    );
    const right = await check(
      taking.map(({ id }) => id),
      rules,
    );
    // The oracle is not asked about transfers.
    const asked = right.results.filter(({ inScope, fires }) => inScope && fires.confirmed === true);
    assert.ok(asked.length > 5, `only ${asked.length} were asked`);
    const held: string[] = [];
    for (const [name, change, why] of MISTAKES) {
      for (const { rule: id } of asked) {
        const wrong = rules.flatMap((rule) => (rule.id === id ? change(rule) : rule));
        const [result] = (await check([id], wrong)).results;
        if (result?.holds !== false || !why.test(result.why)) held.push(`${id} ${name}: ${result?.why}`);
      }
    }
    await close();
    assert.deepEqual(held, []);
  });
}
test('a planted false loss is contradicted by a real post', { skip }, async () => {
  const pairs = only('spec/regexp', 'spec/last-index', 'spec/symbol-key');
  const { results } = await verifiedWith(pairs, 'spec/regexp', { loses: 'property' });
  const wrong = results.filter(({ holds }) => holds === false);
  assert.deepEqual(
    wrong.map(({ rule }) => rule),
    ['spec/last-index', 'spec/regexp'],
  );
  assert.match(wrong[1]!.why, /spec\/regexp tells a loss at \$\.pattern that does not happen/);
});

test('every rule that says something is lost holds on real binaries', async () => {
  const rules = [...ENGINES.v8.rules, ...ENGINES.jsc.rules];
  const losing = only(...rules.flatMap(({ id, loses }) => (loses === undefined ? [] : [id])));
  const specs = usually<RuntimeSpec>(['node'], ['bun@1.4.5', 'bun@1.3.9', 'deno@2.9.6']);
  const here = specs.filter((spec) => !missing(spec));
  const runtimes = here.map((spec) => runtime(spec));
  const report = await verifiedOn(runtimes, processDriver, losing);
  assert.ok(report.results.length >= 15 * here.length);
  assert.deepEqual(
    report.results.filter(({ holds }) => holds === false),
    [],
  );
});
