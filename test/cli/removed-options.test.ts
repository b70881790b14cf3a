import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_COMMANDS } from '../../src/cli/options/all.ts';
import { REMOVED_OPTIONS, removedOptionText } from '../../src/cli/program.ts';
import { runCli } from '../support/run-cli.ts';

for (const option of REMOVED_OPTIONS) {
  test(`${option} is refused by each command with one line that says what to use instead`, async () => {
    const line = `clone-prof: ${removedOptionText(option)}\n`;
    for (const { name } of ALL_COMMANDS) {
      const { code, stdout, stderr } = await runCli([name, option]);
      assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: line }, name);
    }
  });
}

test('a removed option is recognized with its value', async () => {
  const { code, stderr } = await runCli(['analyze', 'a.json', '--load=16']);
  assert.equal(code, 2);
  assert.match(stderr, /^clone-prof: --load was removed\. Instead: [^\n]+\n$/);
});

test('no command has a removed option', () => {
  const flags = ALL_COMMANDS.flatMap(({ options }) => Object.values(options).map((option) => option.flags));
  for (const option of REMOVED_OPTIONS)
    assert.deepEqual(
      flags.filter((flag) => new RegExp(`${option}\\b(?!-)`).test(flag)),
      [],
    );
});
