import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseDocument, readDocument } from '../../../src/app/store/document.ts';
import { REPORT } from '../../../src/app/store/documents.ts';
import { escapedJson } from '../../../src/report/text/json.ts';
import { FROZEN } from '../../report/frozen/reports.ts';
import { isToolError } from '../../support/tool-errors.ts';

for (const [name, report] of Object.entries(FROZEN)) {
  test(`${name} is the same after writing and reading`, () => {
    assert.deepEqual(parseDocument(escapedJson(report), `${name}.json`, REPORT), report);
  });
}

const { apply } = FROZEN;
const text = JSON.stringify(apply);

const BAD: { what: string; text: string; message: RegExp }[] = [
  { what: 'no JSON', text: '{"schema":', message: /^r\.json: .*not valid JSON/ },
  { what: 'no report', text: '[]', message: /not a readable clone-prof\/report@1: "schema" is missing/ },
  { what: 'null', text: 'null', message: /"schema" is missing/ },
  {
    what: 'a newer report',
    text: text.replace('report@1', 'report@2'),
    message: /^r\.json: not a readable clone-prof\/report@1: "schema" is "clone-prof\/report@2"/,
  },
  {
    what: 'a wrong field',
    text: text.replace('"status":"measured"', '"status":"done"'),
    message: /\$\.payloads\[0\]\.runs\[0\]\.status: /,
  },
  {
    what: 'many wrong fields',
    text: text.replaceAll('"level":"slow"', '"level":1').replaceAll('"equality":"equal"', '"equality":1'),
    message: /: \$[^;]+; [^;]+; [^;]+\. Write one/,
  },
];

for (const { what, text: given, message } of BAD) {
  test(`${what} is refused with the path of the fault`, () => {
    assert.throws(() => parseDocument(given, 'r.json', REPORT), isToolError('document-bad', message));
  });
}

test('a file is read; a missing one is named', async () => {
  const file = fileURLToPath(new URL('../../../fixtures/reports/apply.json', import.meta.url));
  assert.deepEqual(await readDocument(file, 'apply.json', REPORT, {}), apply);
  await assert.rejects(readDocument('no-such-report.json', 'no-such-report.json', REPORT, {}), {
    name: 'ToolError',
    code: 'file-missing',
  });
});

test('a byte order mark is skipped', () => {
  assert.deepEqual(parseDocument(`\ufeff${text}`, 'r.json', REPORT), apply);
});
