/** The examples of docs/library.md, in the project of a user: as they are there, all in one process. */
import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { onlyInWhole } from '../support/whole.ts';
import { ROOT, run } from './install.ts';

export const LIBRARY_EXAMPLES = [
  ...readFileSync(join(ROOT, 'docs', 'library.md'), 'utf8').matchAll(/^```js\n(.*?)^```/gms),
].map(([, code = '']) => code);

/** What each prints. */
const PRINTED = [
  /^rows on node [\d.]+: serialized, \w+/m,
  /^node src\/main\.js --all: 7 threads, 1250 ms\nsrc\/\S+:\d+ \S+: \d+ messages, \d+ bytes\n/m,
  /^raw at 10 items: (\d+|not timed)/m,
  /^rows lossy: passed$/m,
];

export function libraryDocsTests(project: string, skip: string | false): void {
  test('the examples of docs/library.md run', { skip: skip || onlyInWhole }, async () => {
    assert.equal(LIBRARY_EXAMPLES.length, PRINTED.length);
    cpSync(join(ROOT, 'fixtures', 'recordings', 'photos.cprof'), join(project, 'app.cprof'));
    const names = LIBRARY_EXAMPLES.map((_, i) => `./example-${i}.mjs`);
    for (const [i, code] of LIBRARY_EXAMPLES.entries()) writeFileSync(join(project, names[i]!), code);
    const all = names.map((name) => `console.log('\\0'); await import('${name}');\n`).join('');
    writeFileSync(join(project, 'examples.mjs'), all);
    const { stdout, stderr, code } = await run(process.execPath, ['examples.mjs'], project);
    assert.equal(code, 0, stderr);
    for (const [i, printed] of stdout.split('\0\n').slice(1).entries()) assert.match(printed, PRINTED[i]!);
    assert.match(readFileSync(join(project, 'report.html'), 'utf8'), /^<!doctype html>/i);
  });
}
