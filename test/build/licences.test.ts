import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { licenceText } from '../../scripts/licences.mjs';
import { ROOT } from '../support/spawn-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

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
  const built = (file: string) => readFileSync(join(ROOT, 'dist', file), 'utf8');
  for (const name of ['chalk', 'cli-table3', 'commander', 'zod'])
    assert.match(built('THIRD_PARTY_LICENSES'), new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, 'm'));
  assert.match(built('playground.html'), /^jsonc-parser [\d.]+ \(MIT\)$/m);
});
