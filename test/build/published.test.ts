/** What package.json says of the package, and what is built for it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { PUBLISHED_SCHEMAS } from '../../src/app/store/documents.ts';
import { HOME_PAGE } from '../../src/report/sarif.ts';
import { ROOT } from '../package/install.ts';

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
  const longest = (file: string) =>
    Math.max(
      ...read('dist', file)
        .split('\n')
        .map((line) => line.length),
    );
  const code = files.filter((file) => /\.[mc]?js$/.test(file));
  assert.ok(code.length > 50);
  assert.deepEqual(
    code.filter((file) => longest(file) > 12_000),
    [],
  );
  const host = code.filter((file) => file.startsWith('chunks')).map((file) => read('dist', file));
  assert.match(host.join('\n'), /^async function buildWithin\(entry, cwd, options, /m);
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
