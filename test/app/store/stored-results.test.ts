import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchema } from '../../../src/app/store/documents.ts';
import type { ErrorCode } from '../../../src/model/errors.ts';
import { draw } from '../../../src/report/registry.ts';
import { readResult } from '../../../src/report/stored/stored-reports.ts';
import { estimate } from '../../make.ts';
import { compared, comparedSweeps, sweepOf } from '../../report/compare/reports.ts';
import { fiftyPayloads } from '../../report/frozen/large.ts';
import { FROZEN, PLAIN, render } from '../../report/render.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError } from '../../support/tool-errors.ts';

const folder = tempFolder('results');

async function* inPieces(text: string, size = 1000) {
  for (let at = 0; at < text.length; at += size) yield Buffer.from(text.slice(at, at + size));
}

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return readResult(join(folder, name), name);
};

describe('stored results are read back unchanged', () => {
  for (const [name, report] of Object.entries(FROZEN)) {
    test(`${name}, out of JSON and out of a page`, async () => {
      assert.deepEqual(await readResult(inPieces(`\ufeff${render('json', report)}`), '-'), report);
      assert.deepEqual(await file(`${name}.html`, `\ufeff\n${render('html', report)}`), report);
    });
  }

  test('a codec of many lines is kept; endless lines are cut', async () => {
    const withModule = (module: string) => {
      const report = structuredClone(FROZEN.apply!);
      report.payloads[0]!.runs[0]!.advice!.module = module;
      return readResult(inPieces(JSON.stringify(report), 1e5), '-').then(
        (read) => (read as typeof report).payloads[0]!.runs[0]!.advice!.module,
      );
    };
    const module = 'export const a = 1;\n'.repeat(2000);
    assert.equal(await withModule(module), module);
    for (const endless of ['x'.repeat(5001), 'x\n'.repeat(500_001)])
      assert.match((await withModule(endless)) ?? '', /… \([\d,]+ characters\) …/);
  });

  for (const [what, long] of [
    ['characters', 'x'.repeat(1.1e6)],
    ['combining marks', `x${'\u0301'.repeat(1e6)}`],
  ] as const) {
    test(`names and texts of a million ${what} are cut, for each format`, async () => {
      const report = structuredClone(FROZEN['three-runtimes']!);
      const [payload] = report.payloads;
      payload!.id = payload!.source.file = payload!.runs[0]!.runtime.version = long;
      payload!.error = { code: long, message: long };
      const read = (await file('long.json', JSON.stringify(report))) as typeof report;
      assert.doesNotMatch(read.payloads[0]!.id, /\p{M}{5}/u);
      assert.match(read.payloads[0]!.id, /~\w{8}$/);
      assert.match(read.payloads[0]!.error!.message, / \([\d,]+ characters\) /);
      for (const format of ['terminal', 'markdown', 'html', 'json'] as const)
        assert.ok(render(format, read).length < 1e6, format);
    });
  }

  test('a large report, out of a page with deflated data', async () => {
    const large = fiftyPayloads();
    assert.deepEqual(await file('large.html', render('html', large)), JSON.parse(JSON.stringify(large)));
  });

  test('deflated data that are broken are named', async () => {
    const broken = '<script type="application/json" id="report">"AAAA"</script>';
    await assert.rejects(file('broken.html', broken), /the data of the page cannot be read/);
  });

  const sweep = sweepOf(['node', '24.0.0'], { 10: estimate(0.5) }, [{ size: 30, ci: [28, 32] }]);
  const comparison = {
    ...compared(FROZEN.hostile!, FROZEN['three-runtimes']!, FROZEN.apply!),
    strategies: comparedSweeps(sweep, sweep, { ...sweep, crossovers: [] }).strategies ?? [],
  };
  for (const format of ['json', 'html'] as const) {
    test(`a comparison, out of ${format}`, async () => {
      const drawn = draw(comparison, format, PLAIN);
      assert.deepEqual(await file(`comparison.${format}`, drawn), comparison);
    });
  }

  test('the published schema of a comparison fits it', () => {
    const validate = new Ajv2020({ allErrors: true }).compile(jsonSchema('comparison.schema.json'));
    assert.equal(validate(comparison), true, JSON.stringify(validate.errors));
    const [run, ...runs] = comparison.runs;
    assert.equal(validate({ ...comparison, runs: [{ ...run, went: 'faster' }, ...runs] }), false);
  });
});

const page = render('html', FROZEN.apply!);
const report = JSON.stringify(FROZEN.apply);
const comparison = compared(FROZEN.apply!, FROZEN.apply!);

/** What is in the file, and what its one line says behind its name. */
const BAD: [what: string, text: string, says: RegExp][] = [
  [
    'a recording',
    '{"schema":"clone-prof/recording@2"}\n{}',
    /: a recording\. Analyze it first: clone-prof analyze/,
  ],
  ['nothing', '', /not a readable result of clone-prof: not valid JSON \(.*\)\. Write one with/],
  ['JSON that is cut off', report.slice(0, -500), /not valid JSON \(/],
  ['a page that is cut off', page.slice(0, -5000), /not valid JSON \(|cut off before their end/],
  ['a page of somebody else', '<!doctype html><p>hello', /a page without the data of a report/],
  ['a page with other data', page.replace('/report@1', '/verify@1'), /"schema" is "clone-prof\/verify@1"/],
  [
    'what check wrote',
    '{\n  "schema": "clone-prof/check@1"}',
    /: the result of a check\. Draw it again: clone-prof check --merge /,
  ],
  ['a later version', report.replace('report@1', 'report@2'), /"clone-prof\/report@2", of another version/],
  ['a wrong field', report.replace('"worker"', '"tube"'), /\$\.payloads\[0\]\.runs\[0\]\.channel: /],
  [
    'many wrong fields',
    report.replaceAll('"level":"slow"', '"level":1').replaceAll('"equality":"equal"', '"equality":1'),
    /: \$[^;]+; [^;]+; [^;]+\. Write one/,
  ],
  ['a schema that is no text', '{"schema":{"toString":1}}', /"schema" is \{"toString":1\}/],
  ['lists in lists', '['.repeat(1e6) + ']'.repeat(1e6), /its values are nested too deeply for one/],
  [
    'a run of a report that is not listed',
    JSON.stringify({ ...comparison, runs: [{ ...comparison.runs[0], report: 2 }] }),
    /readable clone-prof\/comparison@1: \$: a run of a report that is not listed/,
  ],
];

describe('unreadable results are a one-line error', () => {
  const refusal = (read: Promise<unknown>, code: ErrorCode, says: RegExp) =>
    assert.rejects(read, isToolError(code, says));

  for (const [what, text, says] of BAD) {
    test(what, () =>
      refusal(file('bad.json', text), 'document-bad', new RegExp(`^bad\\.json: .*${says.source}`)),
    );
  }

  test('more than 64 MB', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(1e6, ' ');
    }
    await refusal(readResult(endless(), '-'), 'document-bad', /^-: .*larger than 64 MB\. Analyze fewer/);
  });

  test('a folder, and a file that is not there', async () => {
    mkdirSync(join(folder, 'reports'));
    await refusal(readResult(join(folder, 'reports'), 'reports'), 'not-a-file', /^reports: is a directory/);
    await refusal(readResult(join(folder, 'none.json'), 'none.json'), 'file-missing', /^none\.json: no such/);
  });
});
