/** The quick part of `npm run verify:losses`: told losses are what real deliveries lose, path by path. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import type { Facts } from '../../src/model/documents/shape.ts';
import { type Channel, EXTENSION_CHANNELS } from '../../src/model/names.ts';
import type { Rule, RuleBook } from '../../src/model/rules/rule.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import type { RealLoss } from '../../src/model/wire/wire.ts';
import { facts as rowOf, shape } from '../make.ts';
import { chromiumWithExtensions, mayLackExtensions, TEST_BROWSERS } from '../support/fetch-browsers.ts';
import { missing, type RuntimeSpec, runtime, testOnBrowsers } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { compareLosses, complaintOf, type LossRunner, lossRunner, printedLosses } from './losses.ts';
import { lossyProgramAt } from './lossy-values.ts';
import { sourceOf } from './render.ts';
import { compareLists } from './transfer-lists.ts';

const SEED = 7;
const VALUES = 150;
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
    const against = { runner, runtime: here, channel, engine: ENGINES[here.engine], standard: STANDARD };
    const comparison = await compareLosses(against, SEED, VALUES);
    assert.equal(comparison.wrong.length, 0, printedLosses(comparison));
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
    const against = { runner: inPage, runtime: page, channel, engine, standard: STANDARD };
    const comparison = await compareLosses(against, SEED, VALUES_IN_PAGE);
    assert.equal(comparison.wrong.length, 0, printedLosses(comparison));
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
        const against = { runtime: browser, channel, engine, standard: STANDARD };
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

const rules: readonly Rule[] = STANDARD.rules;
const changed = (id: string, change: Partial<Rule>): RuleBook => ({
  ...STANDARD,
  rules: rules.map((rule) => (rule.id === id ? { ...rule, ...change } : rule)),
});
const PLANTED: [name: string, book: RuleBook, complaint: RegExp][] = [
  ['a loss that does not happen', changed('spec/regexp', { loses: 'property' }), /false: spec\/regexp/],
  [
    'a rule that is gone',
    { ...STANDARD, rules: rules.filter(({ id }) => id !== 'spec/non-enumerable') },
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
  for (const [name, standard, complaint] of PLANTED) {
    await t.test(name, () => {
      const against = {
        runtime: here,
        channel: 'message-port' as const,
        engine: ENGINES[here.engine],
        standard,
      };
      const complaints = answers.map((answer) => complaintOf(answer, against)).join('\n');
      assert.match(complaints, complaint);
    });
  }
});

const CHROMIUM: FoundRuntime = {
  ...{
    name: 'chromium',
    version: '156.0.0.0',
    engine: 'v8',
    spec: 'chromium@156.0.0.0',
    binary: '',
    from: 'test',
  },
};
const absent = (path: string, what: string): RealLoss => ({
  path,
  what: `${what} became absent`,
  kind: 'property',
  owner: '$',
});
const exception: Facts = { ...rowOf('$', 'error'), tag: 'DOMException' };
const error: Facts = { ...rowOf('$', 'error'), tag: 'Error' };

const COMPLAINTS: [name: string, facts: Facts, losses: RealLoss[], complaint: RegExp | ''][] = [
  ['a DOMException that the browser threw loses its stack', exception, [absent('$.stack', 'string')], ''],
  ['its stack is a number of the user', exception, [absent('$.stack', 'number')], ''],
  ['its stack is an object of the user', exception, [absent('$.stack', 'object')], ''],
  ['another property of it', exception, [absent('$.own', 'number')], /^untold: property at \$: \$\.own/],
  ['the stack of another error', error, [absent('$.stack', 'number')], /^untold: property at \$: \$\.stack/],
];

for (const [name, facts, losses, complaint] of COMPLAINTS)
  test(`chromium: ${name}`, () => {
    const against = { runtime: CHROMIUM, engine: ENGINES.v8, standard: STANDARD };
    const found = complaintOf(
      { shape: shape({ patterns: [facts] }), losses },
      { ...against, channel: 'extension-clone' },
    );
    if (complaint === '') assert.equal(found, '');
    else assert.match(found, complaint);
  });
