import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RULES } from '../../src/engines/rule-book/rule-book.ts';
import { finding, payload, report, run } from '../make.ts';
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

test('the help of a rule has the advice for each channel that it fired on, once', () => {
  const { fix = '', fixIn = {} } = RULES['spec/shared-refused']!;
  const runs = (['broadcast', 'worker', 'worker'] as const).map((channel) =>
    run('node@20.20.2', { channel, findings: [finding('spec/shared-refused', '$')] }),
  );
  const { rules } = sarifRun(render('sarif', report(payload('a', runs)))).tool.driver;
  const text: string = rules.find(({ id }: { id: string }) => id.startsWith('spec/')).help.text;
  assert.ok(text.includes(` ${fixIn.broadcast} ${fix} Source: `), text);
  assert.equal(text.split(fix).length, 2);
});

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
