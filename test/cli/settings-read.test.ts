/** An option whose setting no action reads would be accepted and do nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/main.ts';
import { type CliScenario, runCli } from '../support/run-cli.ts';

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
