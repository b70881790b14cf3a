/** Commands in the docs of CI and editors are commands of the program, with options that it has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../../src/cli/main.ts';
import { ROOT } from '../support/spawn-cli.ts';

/** `clone-prof check --base HEAD^1 ...` in a block of code; what is recorded is another program's. */
function commandsOf(file: string): string[][] {
  const blocks = readFileSync(join(ROOT, 'docs', file), 'utf8').match(/^```[\s\S]*?^```/gm) ?? [];
  const lines = blocks.flatMap((block) => block.split('\n'));
  return lines.flatMap((line) => {
    const [, words] =
      /(?:^|[ ;])clone-prof(?:@<version>)? ((?:[a-z]).*)$/.exec(line.replace(/\s+#.*$/, '')) ?? [];
    return words === undefined ? [] : [words.replace(/ -- .*$/, '').split(/\s+/)];
  });
}

for (const file of ['gate.md', 'editor.md'])
  test(`docs/${file}: commands and their options exist`, () => {
    const commands = commandsOf(file);
    assert.ok(commands.length >= 4);
    for (const [name, ...words] of commands) {
      const spec = COMMANDS.find((one) => one.name === name);
      assert.ok(spec, `clone-prof ${name}`);
      const known = Object.values(spec.options).flatMap(({ flags }) => flags.match(/--?[a-z][\w-]*/g) ?? []);
      for (const word of words.filter((one) => one.startsWith('-')))
        assert.ok(known.includes(word.split('=')[0]!), `clone-prof ${name} ${word}`);
    }
  });
