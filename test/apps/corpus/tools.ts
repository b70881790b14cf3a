/** Tools that post between their threads or processes, each with a small project. */
import { type App, numbered } from './app.ts';

const SOURCE = Array.from(
  { length: 60 },
  (_, i) => `export const value${i} = "text ${i}".length + ${i};`,
).join('\n');

const SOURCES = numbered(6, (i) => [
  `src/file${i}.js`,
  `import { value1 as other } from './all.js';\n${SOURCE}\nconsole.log(value${i}, other);\n`,
]);

/** Times that a test runner prints. */
const TIMES = /\d+(\.\d+)?m?s\b|\d\d:\d\d:\d\d/g;

const VITEST_FILES = numbered(6, (i) => [
  `test/sum${i}.test.js`,
  `import { expect, test } from 'vitest';\ntest('adds ${i}', () => expect(${i} + 1).toBe(${i + 1}));\n`,
]);

export const TOOL_APPS: readonly App[] = [
  {
    name: 'vitest',
    packages: ['vitest@3.2.4'],
    files: VITEST_FILES,
    command: ['npx', 'vitest', 'run', '--pool=threads', '--no-color'],
    varying: TIMES,
    isUnordered: true,
  },
  {
    name: 'vitest-forks',
    packages: ['vitest@3.2.4'],
    files: VITEST_FILES,
    command: ['npx', 'vitest', 'run', '--pool=forks', '--no-color'],
    varying: TIMES,
    isUnordered: true,
  },
  {
    name: 'eslint',
    packages: ['eslint@9.39.1'],
    files: {
      'eslint.config.js': "export default [{ rules: { 'no-unused-vars': 'warn' } }];\n",
      ...numbered(40, (i) => [`src/file${i}.js`, `const unused = ${i};\n${SOURCE}\n`]),
    },
    command: ['npx', 'eslint', '--concurrency', '2', 'src'],
  },
  {
    name: 'webpack-terser',
    packages: ['webpack@5.103.0', 'terser-webpack-plugin@5.3.14'],
    files: {
      ...SOURCES,
      'src/all.js': SOURCE,
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
    command: ['node', 'build.cjs'],
    envelopes: { library: 'jest-worker', requests: 6, replies: 6 },
  },
  {
    name: 'jest',
    packages: ['jest@30.2.0'],
    // Fewer would run in one process, once it knows that they are fast.
    files: numbered(21, (i) => [
      `test/sum${i}.test.js`,
      `test('adds ${i}', () => { console.log('a line'); expect(${i} + 1).toBe(${i + 1}); });\n`,
    ]),
    command: ['npx', 'jest', '--maxWorkers', '2', '--colors=false', '--silent'],
    varying: TIMES,
  },
  {
    name: 'mocha',
    packages: ['mocha@11.7.5'],
    files: numbered(6, (i) => [
      `test/sum${i}.cjs`,
      `it('adds ${i}', () => { if (${i} + 1 !== ${i + 1}) throw new Error('wrong'); });\n`,
    ]),
    command: ['npx', 'mocha', '--parallel', '--jobs', '2', '--extension', 'cjs', 'test'],
    varying: TIMES,
    isUnordered: true,
  },
  {
    name: 'ava',
    packages: ['ava@6.4.1'],
    files: numbered(4, (i) => [
      `test/sum${i}.js`,
      `import test from 'ava';\ntest('adds ${i}', (t) => t.deepEqual([${i} + 1], [${i + 1}]));\n`,
    ]),
    command: ['npx', 'ava', '--concurrency', '2', '--no-color'],
    isUnordered: true,
  },
  {
    name: 'rollup-terser',
    packages: ['rollup@4.53.3', '@rollup/plugin-terser@0.4.4'],
    files: {
      ...SOURCES,
      'src/all.js': SOURCE,
      'rollup.config.js': `import terser from '@rollup/plugin-terser';
export default {
  input: [0, 1, 2, 3, 4, 5].map((i) => 'src/file' + i + '.js'),
  output: { dir: 'dist', format: 'es' },
  plugins: [terser({ maxWorkers: 2 })],
};
`,
    },
    command: ['npx', 'rollup', '-c', '--silent'],
  },
  {
    name: 'eslint-prettier',
    packages: ['eslint@9.39.1', 'eslint-plugin-prettier@5.5.4', 'prettier@3.6.2'],
    files: {
      'eslint.config.js': `import prettier from 'eslint-plugin-prettier';
export default [{ plugins: { prettier }, rules: { 'prettier/prettier': 'warn' } }];
`,
      ...numbered(10, (i) => [`src/file${i}.js`, `${SOURCE}\nconst  unused = [ ${i} ];\n`]),
    },
    command: ['npx', 'eslint', 'src'],
  },
  {
    name: 'typescript',
    packages: ['typescript@5.9.3'],
    files: {
      'tsconfig.json':
        '{ "compilerOptions": { "outDir": "dist", "declaration": true, "types": [] }, "include": ["src"] }',
      ...numbered(5, (i) => [`src/file${i}.ts`, `${SOURCE}\nexport const all${i}: number[] = [value1];\n`]),
    },
    command: ['npx', 'tsc'],
  },
  {
    name: 'vitest-vm-threads',
    packages: ['vitest@4.0.14'],
    files: {
      ...VITEST_FILES,
      'test/each.test.js': `import { describe, expect, test } from 'vitest';
describe.each(Array.from({ length: 60 }, (_, i) => ({ i, name: 'row ' + i })))('of $name', ({ i }) => {
  test('is even or odd', () => expect(i % 2).toBeLessThan(2));
  test.skip('is left out', () => undefined);
});
test('has a snapshot', () => expect({ at: [1, 2, 3] }).toMatchSnapshot());
`,
    },
    command: ['npx', 'vitest', 'run', '--pool=vmThreads', '--no-color'],
    varying: TIMES,
    isUnordered: true,
  },
  {
    name: 'jest-threads',
    packages: ['jest@30.2.0'],
    files: {
      'jest.config.json': '{ "workerThreads": true, "maxWorkers": 2, "testMatch": ["**/test/*.js"] }',
      ...numbered(24, (i) => [
        `test/failing${i}.js`,
        `test('fails if ${i} is a multiple of 8', () => expect({ i: ${i}, of: [1, 2] }).toEqual({ i: ${i}, of: ${i % 8 ? '[1, 2]' : '[3]'} }));\n`,
      ]),
    },
    command: ['npx', 'jest', '--colors=false'],
    varying: TIMES,
  },
  {
    name: 'thread-loader',
    packages: [
      ...['webpack@5.103.0', 'thread-loader@4.0.4', 'babel-loader@10.1.1'],
      ...['@babel/core@7.28.5', '@babel/preset-env@7.28.5'],
    ],
    files: {
      ...SOURCES,
      'src/all.js': SOURCE,
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
    command: ['node', 'build.cjs'],
  },
  {
    name: 'fork-ts-checker',
    packages: [
      ...['webpack@5.103.0', 'fork-ts-checker-webpack-plugin@9.1.0'],
      ...['typescript@5.9.3', 'ts-loader@9.5.4'],
    ],
    files: {
      'tsconfig.json':
        '{ "compilerOptions": { "module": "esnext", "target": "es2022", "strict": true, "types": [] } }',
      ...numbered(12, (i) => [
        `src/file${i}.ts`,
        `export const value: number = ${i % 3 ? i : `'wrong ${i}'`};\n`,
      ]),
      'src/index.ts': Array.from({ length: 12 }, (_, i) => `import './file${i}';\n`).join(''),
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
    command: ['node', 'build.cjs'],
  },
  {
    name: 'tsup-types',
    packages: ['tsup@8.5.1', 'typescript@5.9.3'],
    files: {
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", "types": [] } }',
      ...numbered(5, (i) => [
        `src/file${i}.ts`,
        `${SOURCE}\nexport interface Row${i} { id: number; of: string[] }\n`,
      ]),
    },
    command: 'npx tsup src/file0.ts src/file1.ts --dts --format esm,cjs --silent'.split(' '),
  },
  {
    name: 'eslint-babel',
    packages: ['@babel/eslint-parser@7.28.5', '@babel/core@7.28.5', 'eslint@9.39.1'],
    files: {
      'eslint.config.js': `import parser from '@babel/eslint-parser/experimental-worker';
const parserOptions = { requireConfigFile: false, babelOptions: { parserOpts: { plugins: ['jsx'] } } };
export default [{ languageOptions: { parser, parserOptions }, rules: { 'no-unused-vars': 'warn' } }];
`,
      ...numbered(15, (i) => [
        `src/file${i}.js`,
        `${SOURCE}\nexport const view = () => <p title="${i}">{value1}</p>;\n`,
      ]),
    },
    command: ['npx', 'eslint', 'src'],
  },
];
