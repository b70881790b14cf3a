// Bundles the CLI, the library and the guests into dist/. Run by the tests, after `npm ci` and before packing; the last two add the types.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as esbuild, transform } from 'esbuild';
import { globSync } from 'tinyglobby';
import { licenceText } from './licences.mjs';
import { manPage } from './man-page.mjs';
import { playgroundPage } from './playground-page.mjs';
import { buildTypes } from './types.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const src = (...parts) => join(root, 'src', ...parts);

const { version: VERSION, homepage: HOMEPAGE } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const common = {
  bundle: true,
  platform: 'node',
  target: ['node20.19'],
  format: 'esm',
  logLevel: 'warning',
  legalComments: 'none',
  metafile: true,
  absWorkingDir: root,
  // Node.js prints the line in which an error was thrown. The host is not minified; what runs elsewhere has short lines.
  lineLimit: 160,
};

const build = (options) => esbuild({ ...common, ...options });

/** @returns what each file is made of (esbuild's metafile) */
const bundle = async (options) => (await build(options)).metafile.outputs;

const entryPoints = (folder, names) => names.map((name) => src('guest', 'entries', folder, `${name}.ts`));

/** The guest of browsers and its workers: the same code, without Node.js. */
function buildPages(outdir) {
  return bundle({
    platform: 'browser',
    target: ['es2022'],
    entryPoints: entryPoints('page', ['main', 'peer']),
    outdir: join(outdir, 'guest', 'page'),
    outExtension: { '.js': '.mjs' },
    minify: true,
  });
}

/** The guest of workerd, which is what listens in its other service too. */
const buildWorkers = (outdir) =>
  bundle({
    platform: 'browser',
    target: ['es2022'],
    entryPoints: entryPoints('', ['service']),
    outdir: join(outdir, 'guest', 'workerd'),
    outExtension: { '.js': '.mjs' },
    external: ['cloudflare:*', 'node:*'],
    inject: [src('guest', 'platform', 'workerd', 'compiled-function.ts')],
    minify: true,
  });

/** The page to play with: one file, which asks for nothing. */
async function buildPlayground(outdir) {
  const [{ outputFiles, metafile }, { PAGE_STYLE }] = await Promise.all([
    build({
      platform: 'browser',
      target: ['es2022'],
      entryPoints: [src('faces', 'playground', 'playground.ts')],
      format: 'iife',
      write: false,
      charset: 'utf8',
      minify: true,
      lineLimit: 0,
    }),
    imported(src('report', 'html', 'page.ts')),
  ]);
  const own = readFileSync(src('faces', 'playground', 'playground.css'), 'utf8');
  const { code: style } = await transform(PAGE_STYLE + own, { loader: 'css', minify: true });
  const page = readFileSync(src('faces', 'playground', 'playground.template'), 'utf8');
  mkdirSync(outdir, { recursive: true });
  writeFileSync(
    join(outdir, 'playground.html'),
    playgroundPage(page, {
      ...{ script: outputFiles[0].text, style, version: VERSION },
      licences: licenceText(metafile.outputs, root),
    }),
  );
  return metafile.outputs;
}

/**
 * Guests run in every runtime: only built-ins are left outside. They share no file: the code of a payload could load and change it.
 */
async function buildGuests(outdir) {
  // Bun takes `paths` of the next tsconfig.json above its working folder, for the guest's own file too: it is this one.
  mkdirSync(join(outdir, 'guest'), { recursive: true });
  writeFileSync(join(outdir, 'guest', 'tsconfig.json'), '{}\n');
  return bundle({
    entryPoints: entryPoints('process', ['main', 'peer', 'sizes']),
    outdir: join(outdir, 'guest'),
    outExtension: { '.js': '.mjs' },
    external: ['bun:*', 'node:*', 'v8-profiler-next'],
    // Profiles name functions.
    minifySyntax: true,
    minifyWhitespace: true,
  });
}

/**
 * Deno runs the cached code of a required file that had the same path and length, whatever is in it now. A line whose
 * length depends on the content tells one version from another.
 */
function lengthByContent(file) {
  const text = readFileSync(file, 'utf8');
  const length = createHash('sha256').update(text).digest().readUInt16LE() % 4096;
  writeFileSync(file, `${text}//${'-'.repeat(length)}\n`);
}

/** Runs inside recorded programs, before their own code: one self-contained file for each kind of runtime. */
async function buildTaps(outdir) {
  const ofProcesses = await bundle({
    format: 'cjs',
    entryPoints: {
      tap: src('record', 'tap', 'platforms', 'tap.ts'),
      node: src('record', 'tap', 'platforms', 'node.ts'),
      bun: src('record', 'tap', 'platforms', 'bun.ts'),
      deno: src('record', 'tap', 'platforms', 'deno.ts'),
    },
    outdir: join(outdir, 'tap'),
    outExtension: { '.js': '.cjs' },
    minify: true,
    // The program sees the names of functions in their place.
    keepNames: false,
  });
  for (const name of ['tap', 'deno']) lengthByContent(join(outdir, 'tap', `${name}.cjs`));
  const ofPages = await bundle({
    platform: 'browser',
    target: ['es2022'],
    format: 'iife',
    globalName: 'recorder',
    entryPoints: { page: src('record', 'tap', 'platforms', 'page.ts') },
    outdir: join(outdir, 'tap'),
    minify: true,
  });
  return { ...ofProcesses, ...ofPages };
}

/** Test suites, which the user installs. */
const SUITES = ['vitest', '@jest/globals', 'bun:*'];
const MATCHERS = {
  matchers: src('faces', 'matchers', 'index.ts'),
  vitest: src('faces', 'matchers', 'vitest.ts'),
  jest: src('faces', 'matchers', 'jest.ts'),
  bun: src('faces', 'matchers', 'bun.ts'),
};

const BUNDLERS = Object.fromEntries(
  ['vite', 'esbuild', 'rollup'].map((name) => [name, src('faces', 'bundlers', `${name}.ts`)]),
);

/**
 * Path in the package of the API of esbuild, as package.json has it. Its postinstall script only checks the binary, and
 * pnpm fails for a dependency with a script. So its files are copied, and the packages of its binaries are dependencies.
 */
const BUNDLER = '#esbuild';

const esbuildInPackage = {
  name: 'esbuild-in-package',
  setup(builder) {
    builder.onResolve({ filter: /^esbuild$/ }, () => ({ path: BUNDLER, external: true }));
  },
};

/** The two files of esbuild that run. `exports` lets it find itself by name, which it does to say what is wrong. */
function copyEsbuild(outdir) {
  const from = dirname(dirname(createRequire(import.meta.url).resolve('esbuild')));
  const { name, version, license, type } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
  const folder = join(outdir, 'esbuild');
  const manifest = { ...{ name, version, license, type }, private: true, exports: './lib/main.js' };
  mkdirSync(join(folder, 'lib'), { recursive: true });
  for (const file of ['lib/main.js', 'LICENSE.md']) cpSync(join(from, file), join(folder, file));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

const buildHost = (outdir) =>
  bundle({
    entryPoints: {
      cli: src('cli', 'main.ts'),
      index: src('index.ts'),
      ...MATCHERS,
      ...BUNDLERS,
    },
    outdir,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    external: ['v8-profiler-next', ...SUITES],
    plugins: [esbuildInPackage],
    banner: {
      js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);",
    },
  });

/** Starts guests, bundles with esbuild, draws: the same code for `import` and `require`. */
const workOfEsm = {
  name: 'work-of-esm',
  setup(builder) {
    builder.onResolve({ filter: /^\.\/faces\/library\/(documents|runs)\.ts$/ }, () => ({
      path: '../index.js',
      external: true,
    }));
  },
};

/** Not one copy for each suite. */
const matchersBeside = {
  name: 'matchers-beside',
  setup(builder) {
    builder.onResolve({ filter: /^\.\/index\.ts$/ }, () => ({ path: './matchers.js', external: true }));
  },
};

/** For `require`: what both are made of, which esbuild cannot split into files that both load. */
const COMMON_JS =
  "export * as index from './index.ts'; export * as matchers from './faces/matchers/index.ts';";

/** For `require`. Jest runs CommonJS suites in a module system of its own, which cannot load ESM. */
async function buildForCommonJs(outdir) {
  const folder = join(outdir, 'cjs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  for (const name of ['index', 'matchers'])
    writeFileSync(join(folder, `${name}.js`), `module.exports = require('./all.js').${name};\n`);
  const one = { format: 'cjs', external: SUITES, minifyWhitespace: true };
  const { matchers: _, ...suites } = MATCHERS;
  const [all, others] = await Promise.all([
    bundle({
      ...one,
      stdin: { contents: COMMON_JS, resolveDir: src(), loader: 'ts' },
      outfile: join(folder, 'all.js'),
      plugins: [workOfEsm],
    }),
    bundle({ ...one, entryPoints: suites, outdir: folder, plugins: [matchersBeside] }),
  ]);
  return { ...all, ...others };
}

/** A module of src, run by this build. */
async function imported(entry) {
  const { outputFiles } = await build({ entryPoints: [entry], write: false });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** JSON Schemas for editors and readers of reports, out of the definitions that validate. */
async function buildSchemas(outdir) {
  const { jsonSchema, PUBLISHED_SCHEMAS } = await imported(src('app', 'store', 'documents.ts'));
  mkdirSync(outdir, { recursive: true });
  for (const file of PUBLISHED_SCHEMAS) {
    const { $schema, ...rest } = jsonSchema(file);
    const $id = `https://unpkg.com/clone-prof@${VERSION}/dist/${file}`;
    writeFileSync(join(outdir, file), `${JSON.stringify({ $schema, $id, ...rest })}\n`);
  }
}

/** The payloads of the rule book as one file: a package of 285 small ones takes 1.2 MB on a disk. */
function buildRulePayloads(outdir) {
  const folder = join(root, 'fixtures', 'payloads');
  const names = globSync('*.js', { cwd: folder }).sort();
  const payloads = names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  mkdirSync(outdir, { recursive: true });
  writeFileSync(join(outdir, 'rule-payloads.json'), `${JSON.stringify(Object.fromEntries(payloads))}\n`);
}

async function buildManPage(outdir) {
  const { ALL_COMMANDS } = await imported(src('cli', 'options', 'all.ts'));
  mkdirSync(outdir, { recursive: true });
  writeFileSync(
    join(outdir, 'clone-prof.1'),
    manPage(ALL_COMMANDS, { version: VERSION, homepage: HOMEPAGE }),
  );
}

/** What a build is made of, as one hash: sources, this folder, and the packages that are bundled. */
function sourceHash() {
  const hash = createHash('sha256');
  const patterns = [
    'src/**',
    'scripts/**',
    'fixtures/{payloads,presets}/**',
    'package.json',
    'package-lock.json',
  ];
  const files = globSync(patterns, { cwd: root }).sort();
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** What dist/ was built from; the second where it has all that is published, and nothing of earlier builds. */
const STAMP = join(root, '.cache', 'built-from');
const WHOLE_STAMP = join(root, '.cache', 'whole-built-from');

const says = (stamp, hash) => existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;

/** All that runs. A test run after `npm ci` finds it built of the same sources, and leaves it as it is. */
export async function buildAll(outdir = join(root, 'dist')) {
  const isOwn = outdir === join(root, 'dist');
  const hash = sourceHash();
  if (isOwn && existsSync(join(outdir, 'cli.js')) && says(STAMP, hash)) return;
  if (isOwn) for (const stamp of [STAMP, WHOLE_STAMP]) rmSync(stamp, { force: true });
  // Written in place: a test run beside this build never sees an empty folder.
  const texts = Promise.all([buildSchemas(outdir), buildManPage(outdir)]);
  copyEsbuild(outdir);
  buildRulePayloads(outdir);
  // Guests load the published benchmarks as they are.
  cpSync(join(root, 'fixtures', 'presets'), join(outdir, 'presets'), { recursive: true });
  const outputs = await Promise.all(
    [buildGuests, buildTaps, buildPages, buildWorkers, buildPlayground, buildHost, buildForCommonJs].map(
      (one) => one(outdir),
    ),
  );
  writeFileSync(join(outdir, 'THIRD_PARTY_LICENSES'), licenceText(Object.assign({}, ...outputs), root));
  await texts;
  if (!isOwn) return;
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, hash);
}

/** All that is published; elsewhere a copy of dist/ where that has been built of the same sources. */
async function buildPackage(outdir) {
  const own = join(root, 'dist');
  const hash = sourceHash();
  if (outdir !== own && [STAMP, WHOLE_STAMP].every((stamp) => says(stamp, hash)))
    return cpSync(own, outdir, { recursive: true });
  await Promise.all([buildAll(outdir), buildTypes(root, outdir)]);
  if (outdir === own) writeFileSync(WHOLE_STAMP, hash);
}

// `node scripts/build.mjs [folder]`
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outdir = resolve(process.argv[2] ?? join(root, 'dist'));
  if (outdir === join(root, 'dist')) rmSync(STAMP, { force: true });
  for (const folder of ['chunks', 'guest']) rmSync(join(outdir, folder), { recursive: true, force: true });
  await buildPackage(outdir);
}
