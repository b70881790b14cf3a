/** The quick part of `npm run verify:losses`: told losses are what real deliveries lose, path by path. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ENGINES } from '../../src/engines/index.ts';
import { type Channel, EXTENSION_CHANNELS } from '../../src/model/names.ts';
import type { Engine, Rule } from '../../src/model/rules/rule.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { chromiumWithExtensions, mayLackExtensions, TEST_BROWSERS } from '../support/fetched.ts';
import { missing, type RuntimeSpec, runtime, testOnBrowsers } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { compareLosses, complaintOf, type LossRunner, lossRunner, printedLoss } from './losses.ts';
import { lossyProgramAt } from './lossy-values.ts';
import { sourceOf } from './program.ts';
import { compareLists } from './transfer-lists.ts';

const SEED = 7;
const VALUES = usually([100], [150]).at(-1)!;
/** Each rule of losses in Bun 1.3 has its payload in `rule-payloads` tests. */
const RUNTIMES = usually<RuntimeSpec>(['node', 'bun@1.4.5', 'deno@2.9.6'], ['bun@1.3.9']);

let runner: LossRunner;
before(async () => {
  runner = await lossRunner('message-port');
});
after(() => runner.close());

for (const spec of RUNTIMES) {
  test(`${spec}: losses of ${VALUES} values are reported, and no others (seed ${SEED})`, {
    skip: missing(spec),
  }, async () => {
    const here = runtime(spec);
    const channel = 'message-port' as const;
    const against = { runner, runtime: here, channel, engine: ENGINES[here.engine] };
    const comparison = await compareLosses(against, SEED, VALUES);
    assert.deepEqual(comparison.wrong.map(printedLoss), []);
    assert.ok(comparison.alone <= 2, `${comparison.alone} only in a process of their own`);
    assert.ok(comparison.lost > VALUES / 3 && comparison.refused < VALUES / 6);
  });
}

const LISTS = 60;

for (const spec of usually<RuntimeSpec>(
  ['node'],
  ['node@20.20.2', 'node@24.21.0', 'bun@1.4.5', 'bun@1.2.20', 'deno@2.9.6', ...TEST_BROWSERS],
)) {
  test(`${spec}: ${LISTS} values with transfer lists are told as they are posted (seed ${SEED})`, {
    skip: missing(spec),
  }, async () => {
    for (const channel of usually(['message-port'] as const, ['structured-clone'] as const)) {
      const { moved, refused, wrong } = await compareLists(runtime(spec), channel, SEED, LISTS);
      assert.deepEqual(wrong, []);
      assert.ok(moved > LISTS / 2 && refused > LISTS / 10);
    }
  });
}

const extended = await chromiumWithExtensions();
const VALUES_IN_PAGE = 40;

async function comparedInPage(page: FoundRuntime, channel: Channel): Promise<void> {
  const inPage = await lossRunner(channel, true);
  const engine = ENGINES[page.engine];
  try {
    const against = { runner: inPage, runtime: page, channel, engine };
    const comparison = await compareLosses(against, SEED, VALUES_IN_PAGE);
    assert.deepEqual(comparison.wrong.map(printedLoss), []);
    assert.ok(comparison.lost > VALUES_IN_PAGE / 3);
  } finally {
    await inPage.close();
  }
}

for (const channel of usually<Channel>([], [...EXTENSION_CHANNELS, 'service-worker'])) {
  test(
    `chromium, ${channel}: losses of ${VALUES_IN_PAGE} values are reported, and no others (seed ${SEED})`,
    {
      skip: extended === null && (mayLackExtensions() ?? false),
    },
    () => comparedInPage(extended!, channel),
  );
}

for (const channel of usually<Channel>([], ['worker', 'indexeddb']))
  testOnBrowsers(
    `${channel}: losses of ${VALUES_IN_PAGE} values are reported, and no others (seed ${SEED})`,
    (browser) => comparedInPage(browser, channel),
  );

/** WebKit sends all of these, as Bun does; the others leave out the element, and all properties. */
const SENT_BY_WEBKIT = [
  'return Object.defineProperty([1, 2], 0, { enumerable: false })',
  'return Object.assign(new Map([["a", 1]]), { source: { id: 5 } })',
  'return Object.assign(new Set([1]), { source: "cache" })',
];

testOnBrowsers(
  'worker: hidden elements, and own properties of a Map or Set, are told as they arrive',
  async (browser) => {
    const channel = 'worker' as const;
    const inPage = await lossRunner(channel, true);
    const engine = ENGINES[browser.engine];
    try {
      const answers = await inPage.ask(browser, SENT_BY_WEBKIT);
      for (const [at, answer] of answers.entries()) {
        const source = SENT_BY_WEBKIT[at];
        const against = { runtime: browser, channel, engine };
        assert.equal(complaintOf(answer, against), '', source);
        assert.ok(!(answer instanceof Error));
        const isLost = answer.losses!.some(({ kind }) => kind === 'property');
        assert.equal(isLost, browser.name !== 'webkit', `${source}: ${JSON.stringify(answer.losses)}`);
      }
    } finally {
      await inPage.close();
    }
  },
);

const { v8 } = ENGINES;
const changed = (id: string, change: Partial<Rule>): Engine => ({
  ...v8,
  rules: v8.rules.map((rule) => (rule.id === id ? { ...rule, ...change } : rule)),
});
const PLANTED: [name: string, engine: Engine, complaint: RegExp][] = [
  ['a loss that does not happen', changed('spec/regexp', { loses: 'property' }), /false: spec\/regexp/],
  [
    'a rule that is gone',
    { ...v8, rules: v8.rules.filter(({ id }) => id !== 'spec/non-enumerable') },
    /untold: property/,
  ],
  [
    'a scope that is too narrow',
    changed('spec/error-props', { scope: { runtimes: { bun: '*' } } }),
    /untold: property/,
  ],
  [
    'a condition that is too wide',
    changed('spec/last-index', { when: { kind: 'regexp' } }),
    /false: spec\/last-index/,
  ],
];

test(`a wrong rule book is detected (seed ${SEED})`, async (t) => {
  const here = runtime('node');
  const sources = Array.from({ length: VALUES }, (_, index) => sourceOf(lossyProgramAt(SEED, index)));
  const answers = await runner.ask(here, sources);
  for (const [name, engine, complaint] of PLANTED) {
    await t.test(name, () => {
      const against = { runtime: here, channel: 'message-port' as const, engine };
      const complaints = answers.map((answer) => complaintOf(answer, against)).join('\n');
      assert.match(complaints, complaint);
    });
  }
});
