/** Options as data: words behind them, and the settings that actions read. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS, GROUPS, grouped, LAST_GROUP } from '../../src/cli/main.ts';
import { ALL_COMMANDS } from '../../src/cli/options/all.ts';
import { isOpen, nameOf, settingsOf } from '../../src/cli/options/option.ts';
import { settingsFor } from '../support/cli-settings.ts';
import { type CliScenario, runCli } from '../support/run-cli.ts';

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

// An option whose setting no action reads would be accepted and do nothing.

/** Command lines that lead to all that a command does. */
const LINES: Record<string, string[]> = {
  analyze: ['a.json', 'a.json --no-measure --emit x.ts'],
  codec: ['a.json', 'a.json -o b.ts --patch'],
  record: ['--values -- node app.js', '--url localhost'],
  check: ['', '--init', '--accept', '--merge a.json --expect clone-prof.config.json'],
  baseline: [''],
  sweep: ['a.json'],
  report: ['a.json'],
  verify: ['bun@99.0.1'],
  rules: [''],
  explain: ['holey-array'],
  runtimes: ['', 'add bun@1.3'],
  completion: ['bash'],
};

/** Options that are accepted without effect, as their help says. */
const WITHOUT_EFFECT: Record<string, readonly string[]> = { baseline: ['measure'] };

const SCENARIO: CliScenario = {
  files: { 'a.json': '{"a":[1,2,3]}', 'clone-prof.config.json': '{"payloads":["a.json"]}' },
};

/** Reports names that are read. A spread or a rest copies all settings and reads none of them. */
function tracked(settings: Record<string, unknown>, onRead: (name: string) => void) {
  const copied = new Set<string | symbol>();
  return new Proxy(settings, {
    getOwnPropertyDescriptor(target, name) {
      copied.add(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
    get(target, name) {
      if (!copied.delete(name)) onRead(String(name));
      return Reflect.get(target, name);
    },
  });
}

async function namesRead(name: string): Promise<Set<string>> {
  const read = new Set<string>();
  const command = COMMANDS.find((one) => one.name === name)!;
  const { load } = command;
  command.load = async (settings) => {
    const seen = tracked(settings, (setting) => read.add(setting));
    const action = await load(seen);
    return (_settings, world, services) => action(seen, world, services);
  };
  try {
    for (const line of LINES[name] ?? []) await runCli([name, ...line.split(' ').filter(Boolean)], SCENARIO);
  } finally {
    command.load = load;
  }
  return read;
}

for (const { name, options, argument } of COMMANDS)
  test(`clone-prof ${name}: each setting is read by its action`, async () => {
    const read = await namesRead(name);
    const settings = [argument.name, ...Object.keys(options)];
    const unread = settings.filter((one) => !read.has(one));
    assert.deepEqual(unread, WITHOUT_EFFECT[name] ?? []);
  });

test('a copy of all settings reads none of them', () => {
  const read: string[] = [];
  const settings = tracked({ limit: 1, budget: 2 }, (name) => read.push(name));
  const { budget, ...rest } = { ...settings };
  assert.deepEqual([budget, rest, read], [2, { limit: 1 }, []]);
  assert.deepEqual([settings.limit, read], [1, ['limit']]);
});
