/** What package.json says of the package, and what is built for it. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { releaseNotes } from '../../scripts/changelog.mjs';
import { licenceText } from '../../scripts/licences.mjs';
import { PUBLISHED_SCHEMAS } from '../../src/app/store/documents.ts';
import { HOME_PAGE } from '../../src/report/sarif.ts';
import { ROOT } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const read = (...parts: string[]) => readFileSync(join(ROOT, ...parts), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  homepage: string;
  bugs: string;
  repository: { url: string };
  exports: Record<string, unknown>;
  imports: Record<string, string>;
  files: string[];
  scripts: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

test('each published schema is exported, and named by an address of this version', () => {
  for (const file of PUBLISHED_SCHEMAS) {
    assert.equal(manifest.exports[`./${file}`], `./dist/${file}`);
    const { $id } = JSON.parse(read('dist', file)) as { $id: string };
    assert.equal($id, `https://unpkg.com/clone-prof@${manifest.version}/dist/${file}`);
  }
});

test('esbuild is in the package, and its binaries of the same version are dependencies without a script', () => {
  const { version, optionalDependencies } = JSON.parse(
    read('node_modules', 'esbuild', 'package.json'),
  ) as Record<'version' | 'optionalDependencies', unknown>;
  assert.deepEqual(manifest.optionalDependencies, optionalDependencies);
  const file = manifest.imports['#esbuild'] ?? '';
  assert.equal((createRequire(import.meta.url)(join(ROOT, file)) as { version: string }).version, version);
  assert.match(read('dist', 'esbuild', 'LICENSE.md'), /MIT License/);
});

/** Node.js prints the line in which an error was thrown. */
test('no file that Node.js runs has a line of more than 12 kB, and the host keeps its names', () => {
  const files = readdirSync(join(ROOT, 'dist'), { recursive: true, encoding: 'utf8' });
  const code = files.filter((file) => /\.[mc]?js$/.test(file));
  assert.ok(code.length > 50);
  for (const file of code) assert.doesNotMatch(read('dist', file), /^.{12001}/m, file);
  const host = code.filter((file) => file.startsWith('chunks')).map((file) => read('dist', file));
  assert.match(host.join('\n'), /^async function valueSource\(given, folder\)/m);
});

test('the package contains no fixtures and no install scripts', () => {
  assert.deepEqual(
    manifest.files.filter((pattern) => pattern.startsWith('fixtures')),
    [],
  );
  for (const script of ['prepare', 'preinstall', 'install', 'postinstall'])
    assert.equal(manifest.scripts[script], undefined, script);
  assert.equal(manifest.scripts.prepack, 'node scripts/build.mjs');
  const payloads = JSON.parse(read('dist', 'rule-payloads.json')) as Record<string, string>;
  const names = readdirSync(join(ROOT, 'fixtures', 'payloads')).sort();
  assert.deepEqual(Object.keys(payloads), names);
  for (const name of names) assert.equal(payloads[name], read('fixtures', 'payloads', name));
});

test('addresses of the project are of one repository', () => {
  const page = manifest.repository.url.replace(/^git\+(.*)\.git$/, '$1');
  assert.equal(manifest.homepage, `${page}#readme`);
  assert.equal(manifest.bugs, `${page}/issues`);
  assert.equal(HOME_PAGE, manifest.homepage);
  assert.ok(read('docs', 'gate.md').includes(`- uses: ${page.replace('https://github.com/', '')}@`));
});

test('workflows of the project name actions by commits', () => {
  for (const file of readdirSync(join(ROOT, '.github', 'workflows'))) {
    const used = read('.github', 'workflows', file).match(/uses: .*/g) ?? [];
    assert.ok(used.length > 0, file);
    for (const line of used) assert.match(line, /^uses: [\w/-]+@[0-9a-f]{40} # v\d/, file);
  }
});

test('a release has the version of its tag, is tested, published with its origin, and made on GitHub too', () => {
  const commands = [...read('.github', 'workflows', 'release.yml').matchAll(/run: (.*)/g)].map(
    ([, run]) => run,
  );
  assert.match(commands[0] ?? '', /GITHUB_REF_NAME.*version/);
  const [notes = '', ...rest] = commands.slice(1);
  assert.match(notes, /^node scripts\/release-notes\.mjs /);
  const release = rest.pop() ?? '';
  assert.deepEqual(rest, ['.ci/run', 'npm publish --provenance --access public']);
  assert.match(release, /^gh release create "\$GITHUB_REF_NAME" .* --notes "\$NOTES"$/);
});

// The code of a payload runs in the process of a guest: it could import a file that the guest shares, and change what proves and times it.

const importsBeside = (code: string): boolean => /\b(?:from|import)\s*\(?\s*["']\.\.?\//.test(code);

for (const file of ['main.mjs', 'peer.mjs', 'page/main.mjs', 'page/peer.mjs', 'workerd/service.mjs']) {
  test(`${file} shares no file`, () => assert.equal(importsBeside(read('dist', 'guest', file)), false));
}

test('a shared file would be seen', () => {
  for (const code of ['import{a}from"./peer.mjs";', "await import('../peer.mjs')"])
    assert.equal(importsBeside(code), true, code);
});

const root = tempFolder('licences');

function addPackage(name: string, license: string | undefined, files: Record<string, string>): string {
  const folder = join(root, 'node_modules', ...name.split('/'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', license }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return `node_modules/${name}/lib/index.js`;
}

const part = (bytesInOutput: number) => ({ bytesInOutput });
const outputOf = (...files: string[]) => ({
  'out.js': { inputs: Object.fromEntries(files.map((file) => [file, part(1)])) },
});

test('packages that contribute to an output are named; an equal licence text is printed once', () => {
  const inputs = {
    [addPackage('b', 'MIT', { LICENSE: 'shared\n' })]: part(10),
    [addPackage('@scope/a', 'MIT', { 'license.md': 'shared' })]: part(10),
    [addPackage('c', 'ISC', { 'COPYING.txt': 'own' })]: part(10),
    [addPackage('unused', 'MIT', {})]: part(0),
    'src/own.ts': part(10),
  };
  assert.equal(
    licenceText({ 'out.js': { inputs } }, root),
    `@scope/a 1.0.0 (MIT)\nb 1.0.0 (MIT)\n\nshared\n\n${'-'.repeat(80)}\n\nc 1.0.0 (ISC)\n\nown\n`,
  );
});

for (const [what, name, license, files] of [
  ['a text', 'no-text', 'MIT', {}],
  ['a name of its licence', 'no-name', undefined, { LICENSE: 'text' }],
] as const)
  test(`a package without ${what} is not bundled`, () => {
    const file = addPackage(name, license, files);
    assert.throws(() => licenceText(outputOf(file), root), new RegExp(`${name} 1.0.0 has no licence`));
  });

test('licences are included next to the bundles and in the playground', () => {
  for (const name of ['chalk', 'cli-table3', 'commander', 'zod'])
    assert.match(read('dist', 'THIRD_PARTY_LICENSES'), new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'));
  assert.match(read('dist', 'playground.html'), /^jsonc-parser [\d.]+ \(MIT\)$/m);
});

const CHANGELOG = `# Changelog

## Unreleased

- new

## 1.2.0 - 2026-01-02

- [gate](docs/gate.md#start), [site](https://example.com/)

## 1.1.0 - 2025-12-31
`;
const notes = (version: string) => releaseNotes(CHANGELOG, version, 'https://host/blob/v1/');

test('the notes of a release are its section, with links that work outside of the repository', () => {
  assert.equal(
    notes('1.2.0'),
    '- [gate](https://host/blob/v1/docs/gate.md#start), [site](https://example.com/)',
  );
});

for (const version of ['Unreleased', '1.1.0', '1.2', '1x2.0', ''])
  test(`a version without a dated section with text is refused: '${version}'`, () => {
    assert.throws(() => notes(version), /CHANGELOG\.md has no section/);
  });

test('the version of the package has a section in the CHANGELOG', () => {
  assert.match(releaseNotes(read('CHANGELOG.md'), manifest.version, ''), /^### Added$/m);
});
