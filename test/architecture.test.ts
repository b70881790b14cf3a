import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Which room may import from which; a room may always import from itself, and all of them from `model`. */
const ARROWS: Record<string, readonly string[]> = {
  bin: ['cli'],
  cli: ['app', 'host', 'runtimes', 'sources', 'store', 'reporters'],
  app: ['core', 'engines', 'remedies'],
  index: ['library'],
  library: ['app', 'brands', 'core', 'engines', 'host', 'runtimes', 'sources', 'store'],
  matchers: ['core', 'library', 'reporters', 'store'],
  core: [],
  engines: [],
  remedies: ['core'],
  host: [],
  brands: ['core'],
  guest: ['brands', 'core', 'engines', 'remedies'],
  runtimes: ['core', 'host'],
  sources: [],
  store: [],
  reporters: [],
  model: [],
};

/** One package is imported in one place. */
const PACKAGE_HOMES: Record<string, RegExp> = {
  commander: /^src\/cli\/program\.ts$/,
  'cli-table3': /^src\/reporters\/terminal/,
  chalk: /^src\/reporters\/(terminal|palette)/,
  esbuild: /^src\/(sources|runtimes)\/bundle\.ts$/,
  tinyglobby: /^src\/sources\//,
  nanospinner: /^src\/cli\/progress\.ts$/,
  lilconfig: /^src\/store\//,
  'string-width': /^src\/reporters\/terminal\/layout\.ts$/,
  'wrap-ansi': /^src\/reporters\/terminal\/layout\.ts$/,
  'cli-truncate': /^src\/reporters\/terminal\/layout\.ts$/,
  tar: /^src\/runtimes\/provision\//,
  'jsonc-parser': /^src\/sources\/line\.ts$/,
  zod: /^src\/(store|cli)\//,
  semver: /^src\/runtimes\//,
  'v8-profiler-next': /^src\/guest\//,
};

const room = (file: string) =>
  file
    .replace(/^src\//, '')
    .replace(/\.ts$/, '')
    .split('/')[0] ?? '';

interface Arrow {
  from: string;
  to: string;
  external: boolean;
}

/** Every import of the tree, type-only imports excepted (they vanish, as they should). */
async function arrowsOf(entryPoints: string[], absWorkingDir: string): Promise<Arrow[]> {
  const { metafile } = await build({
    entryPoints,
    absWorkingDir,
    bundle: true,
    metafile: true,
    write: false,
    format: 'esm',
    outdir: 'out',
    platform: 'node',
    packages: 'external',
    external: ['bun:*'],
    logLevel: 'silent',
  });
  return Object.entries(metafile.inputs).flatMap(([from, input]) =>
    input.imports.map((i) => ({ from, to: i.path, external: i.external ?? false })),
  );
}

function broken(arrows: Arrow[]): string[] {
  return arrows.flatMap(({ from, to, external }) => {
    const here = room(from);
    if (external) {
      const name = to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? '');
      const home = PACKAGE_HOMES[name];
      if (home && !home.test(from)) return [`${from} imports package ${name}, whose home is ${home}`];
      const pure = ['core', 'engines', 'remedies', 'model'].includes(here);
      return pure ? [`${from} is pure but imports ${to}`] : [];
    }
    const there = room(to);
    const allowed = here === there || there === 'model' || (ARROWS[here] ?? []).includes(there);
    return allowed ? [] : [`${from} -> ${to}: ${here} must not import ${there}`];
  });
}

const sources = () => globSync('src/**/*.ts', { cwd: root }).sort();

test('imports point one way', async () => {
  assert.deepEqual(broken(await arrowsOf(sources(), root)), []);
});

test('a planted forbidden import is seen', () => {
  assert.equal(broken([{ from: 'src/core/stats.ts', to: 'src/cli/main.ts', external: false }]).length, 1);
  assert.equal(broken([{ from: 'src/core/stats.ts', to: 'node:fs', external: true }]).length, 1);
  assert.equal(broken([{ from: 'src/app/analyze.ts', to: 'commander', external: true }]).length, 1);
  assert.equal(broken([{ from: 'src/cli/main.ts', to: 'src/guest/link.ts', external: false }]).length, 1);
});

test('what the command line loads before it starts a guest is light', async () => {
  const { metafile } = await build({
    entryPoints: ['src/cli/program.ts', 'src/cli/commands/analyze-run.ts'],
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    write: false,
    format: 'esm',
    outdir: 'out',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) visit(path);
    }
  };
  visit('src/cli/program.ts');
  visit('src/cli/commands/analyze-run.ts');
  const heavy = [...seen].filter((file) =>
    ['reporters', 'engines', 'remedies', 'runtimes'].includes(room(file)),
  );
  assert.deepEqual(heavy, []);
});

test('the pure rooms know no clock and no chance', () => {
  const pure = globSync('src/{core,engines,remedies,model}/**/*.ts', { cwd: root });
  const sinners = pure.filter((f) =>
    /\b(Date\.now|Math\.random|performance\.now|new Date\(\))/.test(
      readFileSync(join(root, f), 'utf8')
        .replace(/^\s*(\*|\/\/).*$/gm, '')
        .replace(/'[^'\n]*'|`[^`]*`/g, "''"),
    ),
  );
  assert.deepEqual(sinners, []);
});

test('rules are data: the engines hold no functions', () => {
  const sinners = globSync('src/engines/**/*.ts', { cwd: root }).filter((f) =>
    /=>|\bfunction\b/.test(
      readFileSync(join(root, f), 'utf8')
        .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
        .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''"),
    ),
  );
  assert.deepEqual(sinners, []);
});

test('files stay small enough to hold one concept', () => {
  const long = sources()
    .map((f) => ({
      f: relative(root, join(root, f)),
      lines: readFileSync(join(root, f), 'utf8').split('\n').length,
    }))
    .filter(({ lines }) => lines > 220)
    .map(({ f, lines }) => `${f} (${lines})`);
  assert.deepEqual(long, []);
});
