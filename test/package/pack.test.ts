import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { publint } from 'publint';
import type { Report } from '../../src/index.ts';
import { isUnreachable, UNREACHABLE } from '../support/registry.ts';
import { isWhole, onlyInWhole } from '../support/whole.ts';
import { codecTests } from './codecs.ts';
import { bytesBelow, compile, filesBelow, type Installed, install, ROOT, run } from './install.ts';
import { example, libraryDocsTests, linkedIn, managerTests, SUITES, suiteTests } from './projects.ts';

const MEGABYTE = 2 ** 20;
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const OWN = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
  types: string;
  typesVersions: { '*': Record<string, string[]> };
  exports: Record<string, { require?: { types: string } } | undefined>;
};

const folder = mkdtempSync(join(tmpdir(), 'clone-prof-package-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const installed: Installed = {
  project: join(folder, 'project'),
  suites: join(folder, isWhole ? 'suites' : 'project'),
  stage: join(folder, 'stage'),
};
const failure: unknown = await install(installed, SUITES).catch((error: unknown) => error);
const skip = isUnreachable(failure) ? UNREACHABLE : false;

test('the package can be installed', { skip }, () => assert.ifError(failure));

const write = (name: string, text: string) => writeFileSync(join(installed.project, name), text);
write('rows.json', '[{"id":1},{"id":2}]');
const inProject = (file: string, ...args: string[]) => run(file, args, installed.project);
const node = (...args: string[]) => inProject(process.execPath, ...args);
const cli = (...args: string[]) => inProject(linkedIn(installed.project), ...args);

test('the binary of esbuild is the only package that is installed with it', {
  skip: skip || onlyInWhole,
}, () => {
  const packages = filesBelow(join(installed.project, 'node_modules'))
    .filter((file) => file.endsWith('package.json'))
    .map((file) => relative(join(installed.project, 'node_modules'), file))
    .filter((file) => /^(@[^/]+\/)?[^/@]+\/package\.json$/.test(file))
    .map((file) => file.replace(/\/package\.json$/, '').replace(/^@esbuild\/.*/, '@esbuild/*'));
  assert.deepEqual([...new Set(packages)].sort(), ['@esbuild/*', 'clone-prof']);
});

suiteTests(installed.suites, skip);
codecTests(installed.suites, skip);
libraryDocsTests(installed.project, skip);
managerTests(installed, skip);

test('the codec of docs/codec.md is written, and its example runs', { skip }, async () => {
  const rows = join(ROOT, 'fixtures', 'rows.json');
  const written = await cli('codec', rows, '--view', '-o', 'rows.codec.mjs');
  assert.equal(written.code, 0, written.stderr);
  write(
    'example.mjs',
    example('viewMessage(data)', 'docs/codec.md').replace("'rows.json'", JSON.stringify(rows)),
  );
  const { stdout, stderr, code } = await node('example.mjs');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^400\nFloat64Array\(400\) \[\n/);
});

test('it takes 17.2 MB at most', { skip }, () => {
  const bytes = bytesBelow(join(installed.project, 'node_modules'));
  assert.ok(bytes <= 17.2 * MEGABYTE, `${bytes} bytes`);
});

test('its exports are right for Node and for bundlers', { skip }, async () => {
  const pkgDir = join(installed.project, 'node_modules', 'clone-prof');
  const { messages } = await publint({ pkgDir, pack: false, strict: true });
  // esbuild finds itself by the `exports` of its package.json, as Node resolves a package's name in its own files.
  const unlike = messages.filter(
    ({ code, args }) =>
      code !== 'NESTED_PACKAGE_JSON_FIELD_IGNORED' || args.filePath !== './dist/esbuild/package.json',
  );
  assert.deepEqual(unlike, []);
});

/** ESM alone, as the bundlers' own plugins are. */
const ONLY_ESM = ['./vite', './esbuild', './rollup', './client'];

test('resolution without exports finds the declarations for CommonJS', { skip }, () => {
  const { exports, types, typesVersions } = OWN;
  assert.equal(types, exports['.']?.require?.types);
  for (const [name, files] of Object.entries(typesVersions['*']))
    assert.deepEqual(files, [exports[`./${name}`]?.require?.types]);
});

/** What else shows in less time: publint that types are of the kind of the code, the compiler that it finds them. */
test('the types of the package resolve in the same way as its code', {
  skip: skip || onlyInWhole,
}, async () => {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const [tarball] = filesBelow(installed.stage).filter((file) => file.endsWith('.tgz'));
  const archive = createPackageFromTarballData(readFileSync(tarball!));
  const found = await checkPackage(archive, { excludeEntrypoints: [/\.json$/] });
  const problems = found.types === false ? ['no types'] : found.problems.map(problemText);
  const byDesign = ONLY_ESM.flatMap((entry) => [
    `NoResolution ${entry} node10`,
    `CJSResolvesToESM ${entry} node16-cjs`,
  ]);
  assert.deepEqual(problems.sort(), byDesign.sort());
});

const problemText = (problem: { kind: string; entrypoint?: string; resolutionKind?: string }) =>
  [problem.kind, problem.entrypoint, problem.resolutionKind].join(' ');

test('the docs that README links are in it, and the manual page', { skip }, () => {
  const has = (file: string) => existsSync(join(installed.project, 'node_modules', 'clone-prof', file));
  const files = [...(README.match(/(?<=\]\()docs\/[\w./-]+/g) ?? []), 'dist/clone-prof.1'];
  assert.ok(files.length > 10);
  assert.deepEqual(
    files.filter((file) => !has(file)),
    [],
  );
});

test('no file names the folder that it was built in', { skip }, () => {
  const places = [ROOT.replace(/\/$/, ''), installed.stage, `${homedir()}/`];
  for (const file of filesBelow(join(installed.project, 'node_modules', 'clone-prof'))) {
    const text = readFileSync(file, 'utf8');
    for (const place of places) assert.ok(!text.includes(place), `${file} names ${place}`);
  }
});

test('the command says its version, and explain prints the payload of a rule', { skip }, async () => {
  assert.equal((await cli('--version')).stdout.trim(), OWN.version);
  const { stdout } = await cli('explain', 'jsc/nested-value');
  assert.match(stdout, /export const fires = .*\n.*export const nearMiss = /);
});

test('verify loads the payloads of all rules', { skip: skip || onlyInWhole }, async () => {
  const { stdout, stderr, code } = await cli('verify', 'node');
  assert.equal(code, 0, stderr);
  assert.match(stdout, /The rule book holds on every runtime checked\./);
});

test('a measured report matches the published schema', { skip }, async () => {
  const args = ['rows.json', '-r', 'node', '-b', '300ms', '-f', 'json'];
  const { stdout, stderr, code } = await cli('analyze', ...args);
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as Report;
  assert.equal(report.payloads[0]?.runs[0]?.status, 'measured');
  const schema = join(installed.project, 'node_modules', 'clone-prof', 'dist', 'report.schema.json');
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(schema, 'utf8')) as object);
  assert.ok(validate(report), JSON.stringify(validate.errors));
});

test('the library and the matchers are imported by name', { skip }, async () => {
  write(
    'use.mjs',
    `import { analyze, classify, explain, REPORT_SCHEMA, rules } from 'clone-prof';
import { assertFastPath, matchers } from 'clone-prof/matchers';
import schema from 'clone-prof/report.schema.json' with { type: 'json' };
import config from 'clone-prof/config.schema.json' with { type: 'json' };

const classified = classify({ task: {} }, { runtime: 'bun@1.4' });
assertFastPath({ a: 1 }, { runtime: 'bun@1.4' });
const report = await analyze('rows.json', { runtimes: ['node'], measure: false });
console.log(JSON.stringify([
  classified.verdict.blockers[0].path,
  explain(classified).findings[0].title,
  report.schema === REPORT_SCHEMA,
  report.payloads[0].runs[0].verdict.path,
  rules('node@24').engine,
  matchers.toBeCloneable(() => 1).pass,
  typeof schema.properties.payloads,
  typeof config,
]));`,
  );
  const { stdout, stderr } = await node('--no-warnings', 'use.mjs');
  assert.deepEqual(
    JSON.parse(stdout || 'null'),
    ['$.task', 'object inside an object', true, 'packed-array', 'v8', false, 'object', 'object'],
    stderr,
  );
});

test('the types are right in ESM and in CommonJS', { skip }, async () => {
  write(
    'typed.mts',
    `import { analyze, type Classified, classify, explain, type Report, type Run, type Verdict } from 'clone-prof';
import esbuildCodecs from 'clone-prof/esbuild';
import { type CloneProfMatchers, matchers } from 'clone-prof/matchers';
import rollupCodecs from 'clone-prof/rollup';
import viteCodecs from 'clone-prof/vite';
const classified: Classified = classify([1], { runtime: 'bun@1.4', channel: 'worker' });
const verdict: Verdict = classified.verdict;
const report: Promise<Report> = analyze(['x.json'], { measure: false, signal: new AbortController().signal });
export const firstOf = (runs: Run[]): number | undefined => runs[0]?.measurement?.roundTrip.median;
export const pass: boolean = matchers.toTakeFastPath(verdict).pass;
export const title: string | undefined = explain(classified).findings[0]?.title;
export declare const expected: CloneProfMatchers<void>;
// @ts-expect-error no such channel
classify([1], { channel: 'pigeon' });
// @ts-expect-error a limit is needed
expected.toCloneWithin();
export const plugins: { name: string }[] = [viteCodecs({ types: 'src/codecs.d.ts' }), esbuildCodecs(), rollupCodecs()];
export default report;
`,
  );
  write(
    'typed.cts',
    `/// <reference types="clone-prof/client" />
import { classify } from 'clone-prof';
import { assertFastPath, matchers } from 'clone-prof/matchers';
import { toMessage } from './sample.json?codec';
assertFastPath(toMessage(classify([1])));
export const pass: boolean = matchers.toCloneWithin([1], { maxBytes: '1 kB' }).pass;
`,
  );
  const compilerOptions = {
    noEmit: true,
    strict: true,
    module: 'nodenext',
    lib: ['ES2023', 'DOM'],
    skipDefaultLibCheck: true,
    types: [],
    // Of whoever uses the plugin.
    paths: { esbuild: [join(ROOT, 'node_modules', 'esbuild', 'lib', 'main.d.ts')] },
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.mts', 'typed.cts'] }));
  const { stdout, code } = await compile(installed.project);
  assert.equal(code, 0, stdout);
});
