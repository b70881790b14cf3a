/** Tools that post between their threads or processes, each with a small project. */
import { type App, numbered } from './apps.ts';

const WRITTEN: Readonly<Record<string, App['files']>> = {
  eslint: {
    'eslint.config.js': "export default [{ rules: { 'no-unused-vars': 'warn' } }];\n",
  },
  'webpack-terser': {
    'build.cjs': `const webpack = require('webpack');
const Terser = require('terser-webpack-plugin');
const entry = Object.fromEntries([0, 1, 2, 3, 4, 5].map((i) => ['entry' + i, './src/file' + i + '.js']));
const minimizer = [new Terser({ parallel: 2, extractComments: false })];
webpack({ mode: 'production', context: __dirname, entry, optimization: { minimizer } }, (error, stats) => {
  if (error) throw error;
  console.log(Object.keys(stats.compilation.assets).sort().join());
  process.exitCode = stats.hasErrors() ? 1 : 0;
});
`,
  },
  'rollup-terser': {
    'rollup.config.js': `import terser from '@rollup/plugin-terser';
export default {
  input: [0, 1, 2, 3, 4, 5].map((i) => 'src/file' + i + '.js'),
  output: { dir: 'dist', format: 'es' },
  plugins: [terser({ maxWorkers: 2 })],
};
`,
  },
  'eslint-prettier': {
    'eslint.config.js': `import prettier from 'eslint-plugin-prettier';
export default [{ plugins: { prettier }, rules: { 'prettier/prettier': 'warn' } }];
`,
  },
  typescript: {
    'tsconfig.json':
      '{ "compilerOptions": { "outDir": "dist", "declaration": true, "types": [] }, "include": ["src"] }',
  },
  'vitest-vm-threads': {
    'test/each.test.js': `import { describe, expect, test } from 'vitest';
describe.each(Array.from({ length: 60 }, (_, i) => ({ i, name: 'row ' + i })))('of $name', ({ i }) => {
  test('is even or odd', () => expect(i % 2).toBeLessThan(2));
  test.skip('is left out', () => undefined);
});
test('has a snapshot', () => expect({ at: [1, 2, 3] }).toMatchSnapshot());
`,
  },
  'jest-threads': {
    'jest.config.json': '{ "workerThreads": true, "maxWorkers": 2, "testMatch": ["**/test/*.js"] }',
  },
  'thread-loader': {
    'build.cjs': `const webpack = require('webpack');
const babel = { loader: 'babel-loader', options: { presets: ['@babel/preset-env'] } };
const rules = [{ test: /\\.js$/, use: [{ loader: 'thread-loader', options: { workers: 2 } }, babel] }];
const entry = Object.fromEntries([0, 1, 2, 3].map((i) => ['entry' + i, './src/file' + i + '.js']));
webpack({ mode: 'development', context: __dirname, entry, module: { rules } }, (error, stats) => {
  if (error) throw error;
  console.log(stats.toString({ all: false, errors: true }), Object.keys(stats.compilation.assets).sort().join());
  process.exit(stats.hasErrors() ? 1 : 0);
});
`,
  },
  'fork-ts-checker': {
    'tsconfig.json':
      '{ "compilerOptions": { "module": "esnext", "target": "es2022", "strict": true, "types": [] } }',
    'build.cjs': `const webpack = require('webpack');
const Checker = require('fork-ts-checker-webpack-plugin');
const rules = [{ test: /\\.ts$/, loader: 'ts-loader', options: { transpileOnly: true } }];
const plugins = [new Checker({ async: false })];
const resolve = { extensions: ['.ts', '.js'] };
webpack({ mode: 'production', context: __dirname, entry: './src/index.ts', module: { rules }, plugins, resolve }, (error, stats) => {
  if (error) throw error;
  console.log(stats.compilation.errors.map(({ message }) => message.split('\\n')[0]).sort().join('\\n'));
  process.exit(stats.hasErrors() ? 1 : 0);
});
`,
  },
  'tsup-types': {
    'tsconfig.json':
      '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", "types": [] } }',
  },
  'eslint-babel': {
    'eslint.config.js': `import parser from '@babel/eslint-parser/experimental-worker';
const parserOptions = { requireConfigFile: false, babelOptions: { parserOpts: { plugins: ['jsx'] } } };
export default [{ languageOptions: { parser, parserOptions }, rules: { 'no-unused-vars': 'warn' } }];
`,
  },
};

/** @param files beside those that are written above */
const tool = (
  name: string,
  packages: string,
  command: string,
  files: App['files'] = {},
  more: Partial<App> = {},
): App => ({
  ...{ name, packages: packages.split(' '), files: { ...WRITTEN[name], ...files } },
  ...{ command: command.split(' '), ...more },
});

const SOURCE = Array.from(
  { length: 60 },
  (_, i) => `export const value${i} = "text ${i}".length + ${i};`,
).join('\n');

const SOURCES = {
  ...numbered(6, (i) => [
    `src/file${i}.js`,
    `import { value1 as other } from './all.js';\n${SOURCE}\nconsole.log(value${i}, other);\n`,
  ]),
  'src/all.js': SOURCE,
};

/** Times that a test runner prints. */
const TIMES = { varying: /\d+(\.\d+)?m?s\b|\d\d:\d\d:\d\d/g };
const UNORDERED = { isUnordered: true } as const;

/** `file<i>.js` of these texts. */
const sources = (count: number, text: (i: number) => string, ending = 'js') =>
  numbered(count, (i) => [`src/file${i}.${ending}`, text(i)]);

const VITEST_FILES = numbered(6, (i) => [
  `test/sum${i}.test.js`,
  `import { expect, test } from 'vitest';\ntest('adds ${i}', () => expect(${i} + 1).toBe(${i + 1}));\n`,
]);

/** Fewer would run in one process, once it knows that they are fast. */
const JEST_FILES = numbered(21, (i) => [
  `test/sum${i}.test.js`,
  `test('adds ${i}', () => { console.log('a line'); expect(${i} + 1).toBe(${i + 1}); });\n`,
]);

const MOCHA_FILES = numbered(6, (i) => [
  `test/sum${i}.cjs`,
  `it('adds ${i}', () => { if (${i} + 1 !== ${i + 1}) throw new Error('wrong'); });\n`,
]);

const AVA_FILES = numbered(4, (i) => [
  `test/sum${i}.js`,
  `import test from 'ava';\ntest('adds ${i}', (t) => t.deepEqual([${i} + 1], [${i + 1}]));\n`,
]);

const FAILING_FILES = numbered(24, (i) => [
  `test/failing${i}.js`,
  `test('fails if ${i} is a multiple of 8', () => expect({ i: ${i}, of: [1, 2] }).toEqual({ i: ${i}, of: ${i % 8 ? '[1, 2]' : '[3]'} }));\n`,
]);

const WRONG_TYPES = {
  ...sources(12, (i) => `export const value: number = ${i % 3 ? i : `'wrong ${i}'`};\n`, 'ts'),
  'src/index.ts': Array.from({ length: 12 }, (_, i) => `import './file${i}';\n`).join(''),
};

const of = (start: string, i: number, end: string) => `${SOURCE}\n${start}${i}${end}\n`;
const LISTS = sources(5, (i) => of('export const all', i, ': number[] = [value1];'), 'ts');
const RECORDS = sources(5, (i) => of('export interface Row', i, ' { id: number; of: string[] }'), 'ts');
const PAGES = sources(15, (i) => of('export const view = () => <p title="', i, '">{value1}</p>;'));
const SPACED = sources(10, (i) => of('const  unused = [ ', i, ' ];'));
const UNUSED = sources(40, (i) => `const unused = ${i};\n${SOURCE}\n`);

const JEST_WORKER = { envelopes: { library: 'jest-worker', requests: 6, replies: 6 } } as const;
const UNORDERED_TIMES = { ...TIMES, ...UNORDERED };

const [WEBPACK, ESLINT] = ['webpack@5.103.0', 'eslint@9.39.1'];
const [JEST, TYPESCRIPT] = ['jest@30.2.0', 'typescript@5.9.3'];
const LOADERS = 'thread-loader@4.0.4 babel-loader@10.1.1 @babel/core@7.28.5 @babel/preset-env@7.28.5';
const CHECKER = `fork-ts-checker-webpack-plugin@9.1.0 ${TYPESCRIPT} ts-loader@9.5.4`;
const BUILD = 'node build.cjs';
const TSUP = 'npx tsup src/file0.ts src/file1.ts --dts --format esm,cjs --silent';
const inVitest = (pool: string) => `npx vitest run --pool=${pool} --no-color`;

export const TOOL_APPS: readonly App[] = [
  tool('vitest', 'vitest@3.2.4', inVitest('threads'), VITEST_FILES, UNORDERED_TIMES),
  tool('vitest-forks', 'vitest@3.2.4', inVitest('forks'), VITEST_FILES, UNORDERED_TIMES),
  tool('eslint', ESLINT, 'npx eslint --concurrency 2 src', UNUSED),
  tool('webpack-terser', `${WEBPACK} terser-webpack-plugin@5.3.14`, BUILD, SOURCES, JEST_WORKER),
  tool('jest', JEST, 'npx jest --maxWorkers 2 --colors=false --silent', JEST_FILES, TIMES),
  tool(
    'mocha',
    'mocha@11.7.5',
    'npx mocha --parallel --jobs 2 --extension cjs test',
    MOCHA_FILES,
    UNORDERED_TIMES,
  ),
  tool('ava', 'ava@6.4.1', 'npx ava --concurrency 2 --no-color', AVA_FILES, UNORDERED),
  tool('rollup-terser', 'rollup@4.53.3 @rollup/plugin-terser@0.4.4', 'npx rollup -c --silent', SOURCES),
  tool('eslint-prettier', `${ESLINT} eslint-plugin-prettier@5.5.4 prettier@3.6.2`, 'npx eslint src', SPACED),
  tool('typescript', TYPESCRIPT, 'npx tsc', LISTS),
  tool('vitest-vm-threads', 'vitest@4.0.14', inVitest('vmThreads'), VITEST_FILES, UNORDERED_TIMES),
  tool('jest-threads', JEST, 'npx jest --colors=false', FAILING_FILES, TIMES),
  tool('thread-loader', `${WEBPACK} ${LOADERS}`, BUILD, SOURCES),
  tool('fork-ts-checker', `${WEBPACK} ${CHECKER}`, BUILD, WRONG_TYPES),
  tool('tsup-types', `tsup@8.5.1 ${TYPESCRIPT}`, TSUP, RECORDS),
  tool('eslint-babel', `@babel/eslint-parser@7.28.5 @babel/core@7.28.5 ${ESLINT}`, 'npx eslint src', PAGES),
];
