import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { releaseNotes } from '../../scripts/changelog.mjs';
import { ROOT } from '../support/spawn-cli.ts';

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
  const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  assert.match(releaseNotes(read('CHANGELOG.md'), version, ''), /^### Added$/m);
});
