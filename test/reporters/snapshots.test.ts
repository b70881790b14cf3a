import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { RenderOptions } from '../../src/model/render-options.ts';
import { type Format, REPORTERS } from '../../src/reporters/index.ts';
import { FROZEN } from './frozen/reports.ts';
import { FROZEN_WORDS } from './frozen/words.ts';

const fixtures = new URL('../../fixtures/reports/', import.meta.url);
const PLAIN: RenderOptions = { color: false, columns: 80, unicode: true };

/** `UPDATE=1 npm run test:only -- reporters` writes what is printed now; read the diff. */
function sameAsFile(path: string, text: string): void {
  const file = fileURLToPath(new URL(path, fixtures));
  if (process.env.UPDATE) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert.equal(text, readFileSync(file, 'utf8'));
}

const ENDINGS: Record<Format, string> = { terminal: 'txt', json: 'json', markdown: 'md', html: 'html' };

for (const [name, report] of Object.entries(FROZEN)) {
  test(`frozen report ${name} is the one on disk`, () => {
    sameAsFile(`${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
  });

  for (const [format, ending] of Object.entries(ENDINGS) as [Format, string][]) {
    test(`${name} as ${format}`, () => {
      sameAsFile(`expected/${name}.${format}.${ending}`, REPORTERS[format](report, PLAIN, FROZEN_WORDS));
    });
  }
}

const SCREENS: { name: string; look: RenderOptions }[] = [
  { name: 'color', look: { color: true, columns: 80, unicode: true } },
  { name: 'ascii', look: { color: false, columns: 80, unicode: false } },
  { name: 'narrow', look: { color: false, columns: 40, unicode: true } },
  { name: 'wide', look: { color: false, columns: 140, unicode: true } },
];

for (const { name, look } of SCREENS) {
  test(`three runtimes on a screen that is ${name}`, () => {
    const report = FROZEN['three-runtimes'];
    assert.ok(report);
    sameAsFile(`expected/three-runtimes.${name}.txt`, REPORTERS.terminal(report, look, FROZEN_WORDS));
  });
}
