import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rulesDoc } from '../../scripts/rules-doc.ts';

test('docs/rules.md is what the rule tables say; `npm run docs` writes it', () => {
  assert.equal(readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8'), rulesDoc());
});
