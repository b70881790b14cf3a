/** The code of a payload runs in the process of a guest: it could import a file that the guest shares, and change what proves and times it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const importsBeside = (file: string): boolean => {
  const code = readFileSync(new URL(`../../dist/guest/${file}`, import.meta.url), 'utf8');
  return /\b(?:from|import)\s*\(?\s*["']\.\.?\//.test(code);
};

for (const file of ['main.mjs', 'peer.mjs', 'page/main.mjs', 'page/peer.mjs', 'workerd/service.mjs']) {
  test(`${file} shares no file`, () => assert.equal(importsBeside(file), false));
}

test('the service worker of an extension does: it would be seen', () => {
  assert.equal(importsBeside('page/background.mjs'), true);
});
