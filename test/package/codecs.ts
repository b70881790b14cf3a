/** Emitted codecs in projects of their users: each test runner runs the test that is written beside the codec. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { shapeOf } from '../codec/codecs/emitted.ts';
import { runCli } from '../support/run-cli.ts';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { compile, OF_PROJECT, ROOT, run } from './install.ts';

const ORDERS = readFileSync(join(ROOT, 'fixtures', 'orders.json'), 'utf8');

const TILE = 'export const tile = () => ({ id: 1, data: new Uint8Array(1_000_000) });\n';
const FILES = { 'orders.json': ORDERS, 'tile.mjs': TILE };

/** A report with times that are made up, in which the remedy is advised. */
async function reportOf(remedy: string, ...args: string[]): Promise<string> {
  const times = { of: { [`${remedy}/with-conversion`]: { roundTrip: 20_000 } }, jitter: 0.02 };
  const tile = { id: 1, data: new Uint8Array(1_000_000) };
  // The fake runtime knows the types of JSON alone.
  const described = { 'tile#tile': { shape: shapeOf(tile) } };
  const scenario = { files: FILES, script: { times, described, values: { 'tile#tile': {} } } };
  return (await runCli(['analyze', ...args, '-b', '2s', '-f', 'json'], scenario)).stdout;
}

const ordersReport = () => reportOf('compiled', 'orders.json');

interface CodecProject {
  /** Default: of orders. */
  report?: () => Promise<string>;
  codec: string;
  packageJson: object;
  /** Program and arguments that run the test. */
  command: [binary: string, ...args: string[]];
  /** How it says that both tests passed. */
  passed: RegExp;
  /** Where the codec is TypeScript. */
  compilerOptions?: object;
  needs?: RuntimeSpec;
}

const NODE = process.execPath;
const NODE_PASSED = /^# pass 2$/m;
const JEST_PASSED = /Tests: {7}2 passed, 2 total/;
/** For the codec and its test. */
const STRICT = {
  ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  ...{ skipLibCheck: true, noEmit: true, target: 'es2022' },
};
const MODULE = { ...STRICT, verbatimModuleSyntax: true, module: 'esnext', moduleResolution: 'bundler' };

type Bin = (...path: string[]) => string;

function projectsOfLibraries(bin: Bin): Record<string, CodecProject> {
  const jest = bin('jest', 'bin', 'jest.js');
  const devDependencies = { jest: '30' };
  return {
    vitest: {
      codec: 'orders.codec.ts',
      packageJson: { type: 'module', devDependencies: { vitest: '4' } },
      compilerOptions: { ...MODULE, types: ['node'] },
      command: [NODE, bin('vitest', 'vitest.mjs'), 'run', '--reporter=json'],
      passed: /"numPassedTests":2\b/,
    },
    'vitest, CommonJS': {
      codec: 'orders.codec.cjs',
      packageJson: { devDependencies: { vitest: '4' } },
      command: [NODE, bin('vitest', 'vitest.mjs'), 'run', '--reporter=json'],
      passed: /"numPassedTests":2\b/,
    },
    'jest, CommonJS': {
      codec: 'orders.codec.cjs',
      packageJson: { devDependencies, jest: { transform: {} } },
      command: [NODE, jest],
      passed: JEST_PASSED,
    },
    'jest, ESM': {
      codec: 'orders.codec.js',
      packageJson: { type: 'module', devDependencies, jest: { transform: {} } },
      command: [NODE, '--experimental-vm-modules', jest],
      passed: JEST_PASSED,
    },
    'jest, ts-jest': {
      codec: 'orders.codec.ts',
      packageJson: { devDependencies, jest: { preset: 'ts-jest' } },
      // isolatedModules: ts-jest leaves types to the compiler, which checks them below.
      compilerOptions: {
        ...{ ...STRICT, module: 'commonjs', esModuleInterop: true, isolatedModules: true },
        types: ['node', 'jest'],
      },
      command: [NODE, jest],
      passed: JEST_PASSED,
    },
  };
}

/** Without `--test` it runs in one process. */
const ofNode = (codec: string, more: Partial<CodecProject> = {}): CodecProject => ({
  ...{ codec, packageJson: {}, passed: NODE_PASSED },
  command: [NODE, '--test-reporter=tap', codec.replace('.codec.', '.codec.test.')],
  ...more,
});

function projectsOfRuntimes(): Record<string, CodecProject> {
  const node24 = missing('node@24.21.0') ? '' : runtime('node@24.21.0').binary;
  return {
    'bun:test': {
      codec: 'orders.codec.ts',
      packageJson: { type: 'module', scripts: { test: 'bun test' } },
      compilerOptions: { ...MODULE, types: ['bun'] },
      command: [missing('bun@1.4.5') ? '' : runtime('bun@1.4.5').binary, 'test'],
      passed: /^ 2 pass$/m,
      needs: 'bun@1.4.5',
    },
    'node:test': ofNode('orders.codec.js', { packageJson: { type: 'module' } }),
    'node:test, a worker library': ofNode('orders.codec.js', {
      report: () => reportOf('compiled', 'orders.json', '--via', 'piscina'),
      packageJson: { type: 'module' },
    }),
    'node:test, an export with a buffer': ofNode('tile.codec.mjs', {
      report: () => reportOf('transfer', 'tile.mjs', '-e', 'tile'),
    }),
    'node:test, CommonJS': ofNode('orders.codec.cjs'),
    'node:test, TypeScript': ofNode('orders.codec.ts', {
      packageJson: { type: 'module' },
      compilerOptions: { ...MODULE, allowImportingTsExtensions: true, types: ['node'] },
      command: [node24, '--test-reporter=tap', 'orders.codec.test.ts'],
      needs: 'node@24.21.0',
    }),
  };
}

/** Shows what the others show too: the formats have tests of their own. */
const USUAL = 'node:test, TypeScript';

/** Tests of a project in which the package and `SUITES` are installed. */
export function codecTests(project: string, skip: string | false): void {
  const bin = (...path: string[]) => join(project, 'node_modules', ...path);
  const emit = async (folder: string, { codec, report = ordersReport }: CodecProject) => {
    for (const [file, text] of Object.entries(FILES)) writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, 'report.json'), await report());
    const cli = bin('clone-prof', 'bin', 'clone-prof.js');
    const { stderr, code } = await run(NODE, [cli, 'report', 'report.json', '--emit', codec], folder);
    assert.equal(code, 0, stderr);
  };

  const isUsual = ([name]: [string, CodecProject]) => name === USUAL;
  const all = Object.entries({ ...projectsOfLibraries(bin), ...projectsOfRuntimes() });
  const others = all.filter((one) => !isUsual(one));
  for (const [name, one] of usually(all.filter(isUsual), others)) {
    const { packageJson, compilerOptions, command, passed, needs } = one;
    const absent = needs === undefined ? false : missing(needs);
    test(`an emitted codec compiles and its test passes: ${name}`, { skip: skip || absent }, async () => {
      const folder = join(project, `codec ${name}`.replace(/\W+/g, '-'));
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), JSON.stringify(packageJson));
      if (compilerOptions)
        writeFileSync(
          join(folder, 'tsconfig.json'),
          JSON.stringify({ compilerOptions: { ...compilerOptions, ...OF_PROJECT } }),
        );
      await emit(folder, one);
      const [binary, ...args] = command;
      const { stdout, stderr, code } = await run(binary, args, folder);
      assert.equal(code, 0, stdout + stderr);
      assert.match(stdout + stderr, passed);
      if (compilerOptions === undefined) return;
      const compiled = await compile(folder);
      assert.equal(compiled.code, 0, compiled.stdout);
    });
  }
}
