import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { manPage } from '../../scripts/man-page.mjs';
import { ALL_COMMANDS, SHELLS } from '../../src/cli/options/all.ts';
import { RUNTIME_NAMES } from '../../src/model/names.ts';
import { REPORT_FORMATS } from '../../src/model/report/formats.ts';
import { PRESET_NAMES } from '../../src/model/vocabulary/words.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('completion');

const isHere = (program: string) => spawnSync(program, ['--version']).error === undefined;
const without = (program: string) => (isHere(program) ? false : `${program} is not here`);
const scriptOf = (shell: string) => join(folder, shell);

before(async () => {
  for (const shell of SHELLS) {
    const { code, stdout } = await runCli(['completion', shell]);
    assert.equal(code, 0);
    writeFileSync(scriptOf(shell), stdout);
  }
});

/** A line, the last word unfinished, and what completes it; "files": names of files do. */
const ROWS: [line: string[], words: readonly string[] | 'files'][] = [
  [[''], ALL_COMMANDS.map(({ name }) => name)],
  [['an'], ['analyze']],
  [['analyze', '--no-m'], ['--no-measure']],
  [
    ['analyze', '-'],
    Object.values(ALL_COMMANDS[0]!.options).flatMap(({ flags }) => flags.match(/--?[\w-]+/g) ?? []),
  ],
  [
    ['analyze', '-r', ''],
    [...RUNTIME_NAMES, 'url'],
  ],
  [['analyze', '--runtime', 'node', 'b'], ['bun']],
  [['analyze', '-f', ''], REPORT_FORMATS],
  [['analyze', '-f', 'json', 'ord'], 'files'],
  [['analyze', '-r', ...new Array(11).fill('node'), 'b'], ['bun']],
  [['analyze', '-o', ''], 'files'],
  [
    ['analyze', '--as', ''],
    ['text', 'bytes', 'json'],
  ],
  [['analyze', '--as', 'text', ''], 'files'],
  [['analyze', '--budget', ''], []],
  [['analyze', '$(touch harm)', '-c', 'ipc-j'], ['ipc-json']],
  [['sweep', '--preset', ''], PRESET_NAMES],
  [['check', '-f', 'sar'], ['sarif']],
  [['explain', 'guest-time'], ['guest-timeout']],
  [['explain', 'v8/deep'], ['v8/deep-nesting']],
  [
    ['runtimes', ''],
    ['add', 'remove'],
  ],
  [['completion', ''], SHELLS],
];

test('bash completes commands, options and their values', { skip: without('bash') }, () => {
  const quoted = (word: string) => `'${word}'`;
  const asked = ROWS.map(
    ([line]) => `COMP_WORDS=(clone-prof ${line.map(quoted).join(' ')}); COMP_CWORD=${line.length}
plain=''; _clone_prof; echo "\${plain:-default} \${COMPREPLY[*]}"`,
  );
  // What bash has only while it completes.
  const program = [`source ${quoted(scriptOf('bash'))}`, "compopt() { plain='plain'; }", ...asked].join('\n');
  const lines = execFileSync('bash', ['-c', program], { cwd: folder, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  for (const [i, [line, words]] of ROWS.entries()) {
    const [files = '', ...completed] = lines[i]!.trimEnd().split(' ');
    const expected = words === 'files' ? ['default'] : words;
    const found = words === 'files' ? [files, ...completed] : completed;
    assert.deepEqual(found.filter((word) => word !== '--help').sort(), [...expected].sort(), line.join(' '));
    if (words.length === 0) assert.equal(files, 'plain', line.join(' '));
  }
});

for (const shell of SHELLS)
  test(`${shell} reads its script`, { skip: without(shell) }, () => {
    const { status, stderr } = spawnSync(shell, ['-n', scriptOf(shell)], { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [0, '']);
  });

test('fish completes options with their texts', { skip: without('fish') }, () => {
  const program = `source ${scriptOf('fish')}; complete -C 'clone-prof sweep --preset bun-s'; complete -C 'clone-prof an'`;
  const { stdout } = spawnSync('fish', ['-c', program], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
  });
  assert.match(stdout, /^bun-strings\tredo a published benchmark.*\nanalyze\tclassify, /);
});

const page = manPage(ALL_COMMANDS, { version: '1.2.3', homepage: 'https://example.org' });

test('the manual page has every command and option, and no request of roff by accident', () => {
  for (const { name, options } of ALL_COMMANDS) {
    assert.match(page, new RegExp(`^\\.SS ${name} `, 'm'));
    for (const { flags } of Object.values(options))
      for (const flag of flags.match(/--?[\w-]+/g) ?? [])
        assert.ok(page.includes(`\\fB${flag.replaceAll('-', '\\-')}\\fR`), flag);
  }
  const requests = new Set(page.match(/^[.'].*?(?=[ \n])/gm));
  assert.deepEqual([...requests].sort(), ['.PP', '.RE', '.RS', '.SH', '.SS', '.TH', '.TP', '.fi', '.nf']);
  const odd = manPage([{ ...ALL_COMMANDS[0]!, help: "'\n.so /etc/passwd \\n" }], {
    version: '1',
    homepage: '',
  });
  assert.match(odd, /^\\&'\n\\&\.so \/etc\/passwd \\en\.$/m);
});

test('groff accepts the manual page without warnings', { skip: without('groff') }, () => {
  const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8'], { input: page, encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
});
