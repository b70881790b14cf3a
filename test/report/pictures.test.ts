import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { XMLValidator } from 'fast-xml-parser';
import { pictures } from '../../scripts/pictures.ts';

for (const [name, content] of Object.entries(pictures())) {
  test(`docs/pictures/${name} is what the reporters draw; \`npm run docs\` writes it`, () => {
    assert.equal(XMLValidator.validate(content), true);
    assert.equal(readFileSync(new URL(`../../docs/pictures/${name}`, import.meta.url), 'utf8'), content);
  });
}
