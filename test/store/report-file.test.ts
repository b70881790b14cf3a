import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../src/model/errors.ts';
import { json } from '../../src/reporters/json.ts';
import { parseReport, readReport } from '../../src/store/report-file.ts';
import { FROZEN } from '../reporters/frozen/reports.ts';

for (const [name, report] of Object.entries(FROZEN)) {
  test(`${name} survives being written and read`, () => {
    assert.deepEqual(parseReport(json(report), `${name}.json`), report);
  });
}

const { apply } = FROZEN;
const text = JSON.stringify(apply);

const BAD: { what: string; text: string; says: RegExp; code: string }[] = [
  { what: 'no JSON', text: '{"schema":', says: /^r\.json: not valid JSON/, code: 'json-malformed' },
  { what: 'no report', text: '[]', says: /lacks "schema": "clone-prof\/report@1"/, code: 'report-bad' },
  { what: 'null', text: 'null', says: /lacks "schema"/, code: 'report-bad' },
  {
    what: 'a newer report',
    text: text.replace('report@1', 'report@2'),
    says: /^r\.json: .*it is clone-prof\/report@2, this version of clone-prof reads clone-prof\/report@1/,
    code: 'report-bad',
  },
  {
    what: 'a wrong field',
    text: text.replace('"status":"measured"', '"status":"done"'),
    says: /\$\.payloads\[0\]\.runs\[0\]\.status: /,
    code: 'report-bad',
  },
  {
    what: 'many wrong fields',
    text: text.replaceAll('"level":"slow"', '"level":1').replaceAll('"equality":"equal"', '"equality":1'),
    says: /; and \d+ more$/,
    code: 'report-bad',
  },
];

for (const { what, text: given, says, code } of BAD) {
  test(`${what} is refused with the place in it`, () => {
    assert.throws(
      () => parseReport(given, 'r.json'),
      (error) => error instanceof ToolError && error.code === code && says.test(error.message),
    );
  });
}

test('a file is read; a missing one is named', async () => {
  const file = fileURLToPath(new URL('../../fixtures/reports/apply.json', import.meta.url));
  assert.deepEqual(await readReport(file), apply);
  await assert.rejects(readReport('no-such-report.json'), { name: 'ToolError', code: 'file-missing' });
});

test('a byte order mark is no error', () => {
  assert.deepEqual(parseReport(`\ufeff${text}`, 'r.json'), apply);
});
