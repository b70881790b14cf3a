/** Options as data: words behind them, and the settings that actions read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GROUPS, grouped, LAST_GROUP } from '../../src/cli/main.ts';
import { ALL_COMMANDS } from '../../src/cli/options/all.ts';
import { isOpen, nameOf, settingsOf } from '../../src/cli/options/option.ts';
import { settingsFor } from '../support/cli-settings.ts';

/** A word that the option takes, for each option with several values or with one that may be left out. */
const TAKEN: Record<string, string> = {
  '--runtime': 'node',
  '--channel': 'worker',
  '--export': 'rows',
  '--transfer': '$.a',
  '--via': 'piscina',
  '--try': 'msgpackr',
  '--format': 'terminal',
  '--profile': 'folder',
  '--merge': 'shard.json',
};

const PAYLOADS = ['orders.json', 'orders.mjs', 'orders.mjs#rows', 'orders#rows', 'data/*', '-'];

/** Words that are values of these options, by their help. */
const TAKES_TOO: Record<string, readonly string[]> = { '--try': ['orders.mjs'], '--merge': PAYLOADS };

for (const { name, options, argument } of ALL_COMMANDS)
  for (const option of Object.values(options).filter(isOpen)) {
    const long = nameOf(option);
    test(`clone-prof ${name} ${long}: a payload behind it is a payload`, async () => {
      const word = TAKEN[long];
      assert.ok(word, `a word for ${long}`);
      for (const payload of PAYLOADS.filter((one) => !TAKES_TOO[long]?.includes(one))) {
        const { settings, stderr } = await settingsFor([name, long, word, payload]);
        assert.deepEqual(settings?.[argument.name], [payload], stderr);
        const before = await settingsFor([name, 'first.json', long, word, payload, 'last.json']);
        assert.deepEqual(before.settings?.[argument.name], ['first.json', payload, 'last.json']);
      }
      assert.match(argument.form, /\.\.\./, 'the argument takes what the option gives back');
    });
  }

test('every option of a long command is under a heading, and related options share a heading', () => {
  for (const { name, options } of ALL_COMMANDS) {
    const groups = grouped(Object.entries(options));
    const shown = groups.flatMap((group) => group.options.map(([setting]) => setting));
    assert.deepEqual(shown.sort(), Object.keys(options).sort(), name);
    const others = groups.find(({ title }) => title === LAST_GROUP)?.options ?? [];
    assert.deepEqual(others, [], name);
  }
  const known = ALL_COMMANDS.flatMap(({ options }) => Object.keys(options));
  const unknown = Object.values(GROUPS)
    .flat()
    .filter((setting) => !known.includes(setting));
  assert.deepEqual(unknown, []);
});

test('words that an option gives back keep the order of the command line', async () => {
  const { settings } = await settingsFor(
    'analyze a.json -r node b.json -c worker c.json --profile d.json'.split(' '),
  );
  assert.deepEqual(settings?.payloads, ['a.json', 'b.json', 'c.json', 'd.json']);
  assert.deepEqual([settings?.runtimes, settings?.channels], [['node'], ['worker']]);
  assert.equal(settings?.profile, 'profiles');
});

for (const spec of ALL_COMMANDS)
  for (const [name, { conflicts = [], needs }] of Object.entries(spec.options))
    for (const [said, others] of [
      ['cannot be combined with', conflicts],
      ['is for', needs === undefined ? [] : [needs]],
    ] as const)
      for (const other of others)
        test(`clone-prof ${spec.name}: ${name} ${said} ${other}`, () => {
          const typed = said === 'is for' ? [name] : [name, other];
          const given = new Map(typed.map((one) => [one, true as const]));
          assert.ok(Object.hasOwn(spec.options, other));
          assert.throws(() => settingsOf(spec, { args: ['a.json'], given }), new RegExp(` ${said} --`));
        });
