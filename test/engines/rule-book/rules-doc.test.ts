import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rulesDoc } from '../../../scripts/rules-doc.ts';

test('docs/rules.md is what the rule tables say; `npm run docs` writes it', () => {
  const written = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8').split('\n');
  const expected = rulesDoc().split('\n');
  // The whole text, of 130 kB, would be printed twice.
  const line = expected.findIndex((text, at) => text !== written[at]);
  if (line !== -1) assert.equal(written[line], expected[line], `line ${line + 1}`);
  assert.equal(written.length, expected.length);
});
