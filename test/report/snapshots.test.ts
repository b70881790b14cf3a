import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { RenderOptions } from '../../src/model/report/render-options.ts';
import { FROZEN } from './frozen/reports.ts';
import { frozen, render } from './render.ts';
import { READ_FORMATS, type ReadFormat } from './rendered/text.ts';

const fixtures = new URL('../../fixtures/reports/', import.meta.url);

/** `UPDATE=1 npm run test:only -- report/` writes the files; read the diff. A missing file fails. */
function assertSameAsFile(path: string, text: string): void {
  const file = fileURLToPath(new URL(path, fixtures));
  if (process.env.UPDATE) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert.equal(text, readFileSync(file, 'utf8'));
}

/** Style, script and data are the same in all pages, or another test's: html.test.ts. */
const withoutParts = (page: string): string =>
  page.replace(/(<(style|script)\b[^>]*>)[\s\S]*?(<\/\2>)/g, '$1…$3').replace(/sha256-[\w+/=]+/g, 'sha256-…');

const DOCUMENTS: Readonly<Record<ReadFormat, string>> = { terminal: 'txt', markdown: 'md', html: 'html' };

for (const [name, report] of Object.entries(FROZEN)) {
  test(`${name} as json is the frozen report on disk`, () => {
    assertSameAsFile(`${name}.json`, render('json', report));
  });

  for (const format of READ_FORMATS) {
    test(`${name} as ${format}`, () => {
      const text = render(format, report);
      const shown = format === 'html' ? withoutParts(text) : text;
      assertSameAsFile(`expected/${format}/${name}.${DOCUMENTS[format]}`, shown);
    });
  }
}

const TERMINALS: { name: string; options: Partial<RenderOptions> }[] = [
  { name: 'color', options: { color: true } },
  { name: 'ascii', options: { unicode: false } },
  { name: 'narrow', options: { columns: 40 } },
  { name: 'wide', options: { columns: 140 } },
];

for (const { name, options } of TERMINALS) {
  test(`three runtimes on a terminal: ${name}`, () => {
    const text = render('terminal', frozen('three-runtimes'), options);
    assertSameAsFile(`expected/terminal/three-runtimes.${name}.txt`, text);
  });
}
