/**
 * The package in projects of its users: each package manager, vitest, jest, bun:test, and TypeScript with each way to resolve
 * modules.
 */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { NETWORK_ENV } from '../support/fetched.ts';
import { missing, runtime } from '../support/runtimes.ts';
import { isWhole, onlyInWhole, usually } from '../support/whole.ts';
import { compile, filesBelow, type Installed, OF_PROJECT, ROOT, run } from './install.ts';

/** The newest that run on Node 20, and the last TypeScript with `node10`. */
export const SUITES = usually(
  [],
  [
    ...['vitest@4', '@types/bun@1'],
    ...['jest@30', '@jest/globals@30', '@types/jest@30', 'ts-jest@29', 'typescript@5.9'],
  ],
);

/** The examples of docs/library.md: as they are there, all in one process. */
const LIBRARY_EXAMPLES = [
  ...readFileSync(join(ROOT, 'docs', 'library.md'), 'utf8').matchAll(/^```js\n(.*?)^```/gms),
].map(([, code = '']) => code);

/** What each prints. */
const PRINTED = [
  /^rows on node [\d.]+: serialized, \w+/m,
  /^node src\/main\.js --all: 7 threads, 1250 ms\nsrc\/\S+:\d+ \S+: \d+ messages, \d+ bytes\n/m,
  /^raw at 10 items: (\d+|not timed)/m,
  /^rows lossy: passed$/m,
];

/** The only block of a document that contains `text`. */
export function example(text: string, document = 'README.md'): string {
  const markdown = readFileSync(join(ROOT, document), 'utf8');
  const blocks = [...markdown.matchAll(/^```[jt]s\n(.*?)^```/gms)].map(([, code = '']) => code);
  const [block, ...rest] = blocks.filter((code) => code.includes(text));
  assert.ok(block !== undefined && rest.length === 0, `${document} has one example with ${text}`);
  return block;
}

const VITEST = example("'clone-prof/vitest'");
const suiteOf = (suite: string, module: string) =>
  VITEST.replace('clone-prof/vitest', `clone-prof/${suite}`).replace("'vitest'", `'${module}'`);
const JEST_GLOBALS = suiteOf('jest', '@jest/globals');
/** As @types/jest declares them. */
const JEST = JEST_GLOBALS.replace(/^import \{ expect.*\n/m, '');
const BUN = suiteOf('bun', 'bun:test');

const CONFIG = `import { type Config, defineConfig } from 'clone-prof';
const config: Config = { payloads: ['rows.json'], limits: { class: 'in-memory', time: ['warn', '+10%'] } };
export default defineConfig(config);
// @ts-expect-error no such limit
defineConfig({ limits: { colour: 'red' } });
`;
const WRONG = `import { expect } from 'MODULE';
// @ts-expect-error a limit is needed
expect([]).toCloneWithin();
// @ts-expect-error no such channel
expect([]).toTakeFastPath({ channel: 'pigeon' });
`;
const LIBRARY = `const text: string = 'x';\n${example('classify({ task', 'docs/library.md')}`
  .replace('await analyze(', 'analyze(')
  .replace('const report', 'export const report');

const wrong = (module: string) => WRONG.replace('MODULE', module);

/** A project in TypeScript: its files, and the packages whose global types it has. */
interface TypedProject {
  files: Record<string, string>;
  types: string[];
}

const TYPED: Record<string, TypedProject> = {
  vitest: { files: { 'rows.test.ts': VITEST, 'wrong.ts': wrong('vitest') }, types: ['node'] },
  'jest with globals': { files: { 'rows.test.ts': JEST }, types: ['node', 'jest'] },
  'jest with imports': {
    files: { 'rows.test.ts': JEST_GLOBALS, 'wrong.ts': wrong('@jest/globals') },
    types: ['node'],
  },
  'bun:test': { files: { 'rows.test.ts': BUN, 'wrong.ts': wrong('bun:test') }, types: ['bun'] },
  library: { files: { 'library.ts': LIBRARY, 'clone-prof.config.ts': CONFIG }, types: ['node'] },
  'docs of the library': {
    files: Object.fromEntries(LIBRARY_EXAMPLES.map((code, i) => [`documented-${i}.ts`, code])),
    types: ['node'],
  },
};

/** All of them in one project. */
function together(suites: [string, TypedProject][]): [string, TypedProject] {
  const files = suites.flatMap(([suite, { files }]) =>
    Object.entries(files).map(([file, text]) => [`${suite.replace(/\W/g, '-')}/${file}`, text]),
  );
  const types = new Set(suites.flatMap(([, { types }]) => types));
  return [suites.map(([suite]) => suite).join(', '), { files: Object.fromEntries(files), types: [...types] }];
}

/** How TypeScript finds a module, and the kind of the project's own files. */
interface Resolution {
  name: string;
  module: string;
  type: 'module' | 'commonjs';
}

const RESOLUTIONS = usually<Resolution>(
  [{ name: 'bundler', module: 'esnext', type: 'module' }],
  [
    { name: 'node16', module: 'node16', type: 'commonjs' },
    { name: 'node16', module: 'node16', type: 'module' },
    { name: 'node10', module: 'commonjs', type: 'commonjs' },
  ],
);

/**
 * The newest TypeScript takes half a second; it has no `node10` any more. There the declarations are those that `node16`
 * finds for CommonJS: they are checked once.
 */
const compileFor = (resolution: string, project: string, folder: string) =>
  resolution === 'node10'
    ? run(process.execPath, [join(project, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.'], folder)
    : compile(folder);

function writeIn(project: string, name: string, text: string): void {
  const path = join(project, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const REQUIRED = `const { analyze, check, classify, defineConfig, render, ToolError } = require('clone-prof');
defineConfig({});
console.log(Object.keys(require('clone-prof/matchers').matchers).join());
analyze('rows.json', { runtimes: ['node'], measure: false }).then((report) =>
  console.log(classify([1]).verdict.path, report.payloads[0].runs[0].verdict.path));
check('rows.json', { config: 'missing.json' }).catch((error) =>
  console.log(error instanceof ToolError, error.code));
render({ schema: 'clone-prof/sweep@1' }, 'junit').catch((error) => console.log(error.code, error.message));`;

/** Tests of a project in which the package and `SUITES` are installed. */
export function suiteTests(project: string, skip: string | false): void {
  const write = (name: string, text: string) => writeIn(project, name, text);
  const node = (cwd: string, ...args: string[]) => run(process.execPath, args, join(project, cwd));
  const bin = (...path: string[]) => join(project, 'node_modules', ...path);

  for (const { name, module, type } of RESOLUTIONS) {
    // vitest has types for ESM only, and `await` stands at the top level there alone.
    const one = Object.entries(TYPED)
      .filter(([suite]) => type === 'module' || !['vitest', 'docs of the library'].includes(suite))
      .filter(([suite]) => isWhole || ['library', 'docs of the library'].includes(suite));
    // Each by itself in the whole: what one suite declares must not hide what another lacks.
    const suites = usually([together(one)], name === 'bundler' ? one : []);
    for (const [suite, { files, types }] of suites) {
      test(`README's examples compile: ${suite}, ${name}, ${type}`, { skip }, async () => {
        const folder = `${suite} ${name} ${type}`.replace(/\W+/g, '-');
        const options = { module, moduleResolution: name, types, strict: true, noEmit: true };
        const lib = { lib: ['ES2023', 'DOM'], skipDefaultLibCheck: true, skipLibCheck: name === 'node10' };
        const compilerOptions = { ...options, target: 'es2022', ...lib, ...OF_PROJECT };
        write(`${folder}/package.json`, JSON.stringify({ type }));
        write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions }));
        for (const [file, text] of Object.entries(files)) write(`${folder}/${file}`, text);
        const { stdout, code } = await compileFor(name, project, join(project, folder));
        assert.equal(code, 0, stdout);
      });
    }
  }

  test("README's example runs: vitest", { skip: skip || onlyInWhole }, async () => {
    write('vitest/rows.test.ts', VITEST);
    const args = ['run', '--reporter=json'];
    const { stdout, stderr, code } = await node('vitest', bin('vitest', 'vitest.mjs'), ...args);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /"numPassedTests":1\b/);
  });

  for (const [type, flags] of usually<readonly [type: string, flags: readonly string[]]>(
    [],
    [
      ['commonjs', []],
      ['module', ['--experimental-vm-modules']],
    ],
  )) {
    test(`README's example runs: jest, ${type}`, { skip }, async () => {
      const folder = `jest-${type}`;
      const text =
        type === 'module'
          ? JEST_GLOBALS
          : JEST_GLOBALS.replace(/^import (.*) from (.*);$/gm, 'const $1 = require($2);');
      write(`${folder}/package.json`, JSON.stringify({ type, jest: { transform: {} } }));
      write(
        `${folder}/rows.test.js`,
        text.replace(/^import ('.*');$/gm, type === 'module' ? 'import $1;' : 'require($1);'),
      );
      const { stderr, code } = await node(folder, ...flags, bin('jest', 'bin', 'jest.js'));
      assert.equal(code, 0, stderr);
      assert.match(stderr, /Tests: {7}1 passed/);
    });
  }

  test("README's example runs: bun:test", { skip: skip || missing('bun@1.4.5') }, async () => {
    write('bun/rows.test.ts', BUN);
    const { stderr, code } = await run(runtime('bun@1.4.5').binary, ['test'], join(project, 'bun'));
    assert.equal(code, 0, stderr);
    assert.match(stderr, /1 pass\n/);
  });

  test('CommonJS programs can require the library and the matchers', { skip }, async () => {
    write('use.cjs', REQUIRED);
    write('rows.json', '[{"id":1},{"id":2}]');
    const { stdout, stderr } = await node('.', 'use.cjs');
    const lines = stdout.trim().split('\n').sort();
    const refused = 'usage --format: a sweep cannot be drawn as junit. Known: terminal, markdown, html, json';
    const matchers = 'toTakeFastPath,toCloneWithin,toBeCloneable';
    const printed = ['packed-array packed-array', matchers, 'true file-missing', refused];
    assert.deepEqual(lines, printed, stderr);
  });
}

export function libraryDocsTests(project: string, skip: string | false): void {
  test('the examples of docs/library.md run', { skip: skip || onlyInWhole }, async () => {
    assert.equal(LIBRARY_EXAMPLES.length, PRINTED.length);
    cpSync(join(ROOT, 'fixtures', 'recordings', 'photos.cprof'), join(project, 'app.cprof'));
    const names = LIBRARY_EXAMPLES.map((_, i) => `./example-${i}.mjs`);
    for (const [i, code] of LIBRARY_EXAMPLES.entries()) writeFileSync(join(project, names[i]!), code);
    const all = names.map((name) => `console.log('\\0'); await import('${name}');\n`).join('');
    writeFileSync(join(project, 'examples.mjs'), all);
    const { stdout, stderr, code } = await run(process.execPath, ['examples.mjs'], project);
    assert.equal(code, 0, stderr);
    for (const [i, printed] of stdout.split('\0\n').slice(1).entries()) assert.match(printed, PRINTED[i]!);
    assert.match(readFileSync(join(project, 'report.html'), 'utf8'), /^<!doctype html>/i);
  });
}

// README's first commands, in a project of each package manager, with the package from its tarball.

interface Manager {
  name: string;
  /** Of a project of its own; null: in that of npm. */
  add: string[] | null;
  /** Before the name of the command. */
  start: string[];
  skip: string | false;
}

const throughNpm = (name: string) => ['npm', 'exec', '--yes', '--prefer-offline', name, '--'];
const PNPM = throughNpm('pnpm@12');
const YARN = throughNpm('@yarnpkg/cli-dist@4');

function managers(): Manager[] {
  const binaryOf = (spec: 'bun@1.4.5' | 'deno@2.9.6') => (missing(spec) ? spec : runtime(spec).binary);
  const [bun, deno] = [binaryOf('bun@1.4.5'), binaryOf('deno@2.9.6')];
  return [
    { name: 'npm', add: null, start: ['npx'], skip: false },
    { name: 'Bun', add: [bun, 'add'], start: [bun, 'x'], skip: onlyInWhole || missing('bun@1.4.5') },
    {
      name: 'Deno',
      add: null,
      start: [deno, 'run', '-A', '--node-modules-dir=manual', 'npm:'],
      skip: onlyInWhole || missing('deno@2.9.6'),
    },
    // It fails for a package with a build script, also for one that a dependency depends on.
    { name: 'pnpm', add: [...PNPM, 'add', '-D'], start: [...PNPM, 'exec'], skip: onlyInWhole },
    // Without node_modules: its packages are archives.
    { name: 'Yarn', add: [...YARN, 'add'], start: YARN, skip: onlyInWhole },
  ];
}

/** As README has them, after `npx`. */
const COMMANDS = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(
    /^npx (clone-prof (?:analyze payload\.json|record -- node app\.js)) +#/gm,
  ),
].map(([, command = '']) => command.split(' '));

/** What npm has linked: to start npm itself takes as long as to start the command. */
export const linkedIn = (project: string): string => join(project, 'node_modules', '.bin', 'clone-prof');

const PAYLOAD = '[{"id":1},{"id":2}]';
const PROGRAM = `import { Worker } from 'node:worker_threads';
const worker = new Worker('require("node:worker_threads").parentPort.once("message", () => {})', { eval: true });
worker.postMessage(Array.from({ length: 1000 }, (_, id) => ({ id })));
`;

/** A project of its own asks the registry that is configured here. */
async function settingsOf(project: string): Promise<Record<string, string>> {
  const registry = (await run('npm', ['config', 'get', 'registry'], ROOT)).stdout.trim();
  return {
    'package.json': '{ "private": true, "type": "module" }\n',
    '.npmrc': `registry=${registry}\nstore-dir=${join(project, '.store')}\n`,
    '.yarnrc.yml': `npmRegistryServer: ${registry}\nenableGlobalCache: false\nenableTelemetry: false\n`,
    'yarn.lock': '',
  };
}

export function managerTests(installed: Installed, unreachable: string | false): void {
  assert.equal(COMMANDS.length, 2, 'README begins with them');
  for (const { name, add, start, skip } of managers())
    test(`README's first commands: ${name}`, { skip: unreachable || skip }, async () => {
      const project = add ? join(installed.project, '..', `with-${name}`) : installed.project;
      const ran = async ([program = '', ...args]: string[]) => {
        const { stdout, stderr, code } = await run(program, args, project, add ? NETWORK_ENV : process.env);
        assert.equal(code, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
        return stdout + stderr;
      };
      mkdirSync(project, { recursive: true });
      const files = { ...(add && (await settingsOf(project))), 'payload.json': PAYLOAD, 'app.js': PROGRAM };
      for (const [file, text] of Object.entries(files)) writeFileSync(join(project, file), text);
      const tarball = filesBelow(installed.stage).find((file) => file.endsWith('.tgz'))!;
      if (add) await ran([...add, tarball]);
      const [analyze = [], record = []] = COMMANDS.map(([command = '', ...args]) =>
        start.at(-1) === 'npm:'
          ? [...start.slice(0, -1), `npm:${command}`, ...args]
          : [...start, command, ...args],
      );
      const again = (words: string[]) =>
        name === 'npm' ? [linkedIn(project), ...words.slice(start.length + 1)] : words;
      const quickly = ['--no-measure', '-r', 'node'];
      assert.match(await ran([...analyze, ...quickly]), /payload\.json · 19 B · to a worker/);
      assert.match(await ran(again(record)), /wrote app\.cprof: 1 message/);
      const recorded = analyze.map((word) => (word === 'payload.json' ? 'app.cprof' : word));
      assert.match(await ran(again([...recorded, ...quickly])), /app\.js:3/);
    });
}
