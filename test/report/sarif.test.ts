import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNoCommands } from './commands.ts';
import { FROZEN } from './frozen/reports.ts';
import { frozen, render } from './render.ts';
import { sarifRun } from './sarif-schema.ts';

for (const [name, report] of Object.entries(FROZEN)) {
  test(`${name} as SARIF fits 2.1.0 and holds no command`, () => {
    const text = render('sarif', report);
    assertNoCommands(text);
    const run = sarifRun(text);
    const failed = report.payloads.some(
      ({ error, runs }) => error || runs.some((one) => one.status === 'failed'),
    );
    assert.equal(run.invocations[0].executionSuccessful, !failed);
  });
}

test('files outside of the repository, on drives and of pages are whole addresses', () => {
  const uris = [
    '/x y/a.js',
    'C:\\x\\a.js',
    'http://localhost:1/a b%20c.js?d#e',
    'http://localhost:1/[slug]/100%.js',
    'http://[::1]:1/[a].js',
    'src/a:b.js',
    '..\\a.js',
  ].map((file) => {
    const report = structuredClone(frozen('apply'));
    report.payloads[0]!.source.file = file;
    const [result] = sarifRun(render('sarif', report, { folder: 'p' })).results;
    return Object.values(result.locations[0].physicalLocation.artifactLocation).join(' ');
  });
  assert.deepEqual(uris, [
    'file:///x%20y/a.js',
    'file:///C:/x/a.js',
    'http://localhost:1/a%20b%20c.js?d#e',
    'http://localhost:1/%5Bslug%5D/100%25.js',
    'http://[::1]:1/%5Ba%5D.js',
    'p/src/a%3Ab.js %SRCROOT%',
    'p/../a.js %SRCROOT%',
  ]);
});
