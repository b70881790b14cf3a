/** The tools of `npm run check` that keep the rules of the house see faults that somebody plants. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { build } from 'esbuild';
import { type Fault, RIGHT_CODE, RIGHT_IMPORTS, WRONG_CODE, WRONG_IMPORTS } from './faults.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { default: borders, folders } = await import(join(root, '.dependency-cruiser.mjs'));

mkdirSync(join(root, '.cache'), { recursive: true });
const trees = mkdtempSync(join(root, '.cache', 'borders-'));
after(() => rmSync(trees, { recursive: true, force: true }));

function plant(tree: string, files: Fault[]): string {
  for (const [file, text] of files) {
    mkdirSync(dirname(join(tree, 'src', file)), { recursive: true });
    writeFileSync(join(tree, 'src', file), text);
  }
  return tree;
}

/** `rule: from` of each import that is against the plan. */
async function wrongImports(baseDir: string): Promise<string[]> {
  const found = [];
  for (const ruleSet of [borders, folders]) {
    const { output } = await cruise(['src'], { ...ruleSet.options, baseDir, ruleSet, validate: true });
    found.push(...(output as ICruiseResult).summary.violations);
  }
  return found.map(({ rule, from }) => `${rule.name}: ${from}`);
}

test('an import against the plan is seen, and no other', async () => {
  const wrong = WRONG_IMPORTS.map(([rule, place, text], i) => {
    const file = place.endsWith('.ts') ? place : `${place}/fault-${i}.ts`;
    return { rule, file, text };
  });
  const files = wrong.map(({ file, text }): Fault => [file, text]);
  const found = await wrongImports(plant(join(trees, 'imports'), [...RIGHT_IMPORTS, ...files]));
  const seen = (rule: string, file: string) =>
    found.includes(`${rule}: src/${rule === 'circle of folders' ? dirname(file) : file}`);
  assert.deepEqual(
    wrong.filter(({ rule, file }) => !seen(rule, file)),
    [],
    found.join('\n'),
  );
  // Files that nothing leads to are in both trees: that is what most of them are.
  const reached = /^(?!unreached file)|: src\/(index|faces\/library\/a|app\/reached|value\/read\/a)\.ts$/;
  const usual = await wrongImports(
    plant(join(trees, 'usual'), [...RIGHT_IMPORTS, ['app/one.ts', 'export type One = 1;']]),
  );
  assert.deepEqual(
    usual.filter((one) => reached.test(one)),
    [],
  );
});

/** The files in which biome finds a fault, in one run over all. */
function wrongCode(files: Fault[]): string[] {
  const tree = join(trees, 'code');
  const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  plant(tree, files);
  cpSync(join(root, 'scripts', 'lint'), join(tree, 'scripts', 'lint'), { recursive: true });
  writeFileSync(join(tree, 'biome.json'), JSON.stringify({ ...config, root: true, vcs: { enabled: false } }));
  const { resolve } = createRequire(import.meta.url);
  const biome = join(dirname(resolve('@biomejs/biome/package.json')), 'bin', 'biome');
  const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
  const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { location: { path: string }; category: string }[];
  };
  const ours = /plugin|noRestrictedGlobals|noExcessiveLines/;
  return diagnostics.filter(({ category }) => ours.test(category)).map(({ location }) => location.path);
}

test('code that its room must not have is seen, and other code is not', () => {
  // Each in a folder of its own, in its room.
  const placed = (files: Fault[], name: string): Fault[] =>
    files.map(([file, text], i) => [join(dirname(file), `${name}-${i}`, 'a.ts'), text]);
  const [wrong, right] = [placed(WRONG_CODE, 'wrong'), placed(RIGHT_CODE, 'right')];
  const found = new Set(wrongCode([...wrong, ...right]));
  assert.deepEqual(
    wrong.filter(([file]) => !found.has(join('src', file))),
    [],
  );
  assert.deepEqual(
    right.filter(([file]) => found.has(join('src', file))),
    [],
  );
});

test('the command line loads no reports, rules or codecs before it knows the command', async () => {
  const entries = ['src/cli/main.ts'];
  const { metafile } = await build({
    ...{
      entryPoints: entries,
      absWorkingDir: root,
      bundle: true,
      metafile: true,
      write: false,
      outdir: 'out',
    },
    ...{ format: 'esm', platform: 'node', packages: 'external', external: ['bun:*'], logLevel: 'silent' },
  });
  const seen = new Set(entries);
  for (const file of seen) {
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) seen.add(path);
    }
  }
  // stderr needs it from the first line on. It imports nothing.
  seen.delete('src/report/text/escape.ts');
  assert.deepEqual(
    [...seen].filter((file) => /^src\/(report|engines\/(?!probe|versions)|codec\/(?!files))/.test(file)),
    [],
  );
});
