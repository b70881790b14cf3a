import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertNoCommands } from './commands.ts';
import { FROZEN } from './frozen/reports.ts';
import { frozen, render } from './render.ts';
import { sarifRun } from './sarif-schema.ts';

interface Result {
  ruleId: string;
  level: string;
  message: { text: string };
  locations: {
    physicalLocation: {
      artifactLocation: { uri: string; uriBaseId?: string };
      region?: { startLine: number };
    };
  }[];
}

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

const rowOf = ({ ruleId, level, locations: [at], message }: Result) => {
  const { artifactLocation, region } = at!.physicalLocation;
  return [`${artifactLocation.uri}:${region?.startLine}`, ruleId, level, message.text];
};

test('sites of a recording are reported at the lines that post', () => {
  const { results, tool } = sarifRun(render('sarif', frozen('recording'), { folder: 'packages/app' }));
  const [first, ...others] = results.map(rowOf);
  assert.deepEqual(first, [
    'packages/app/src/pool.js:41',
    'class/serialized',
    'warning',
    'serialized on node 20.20.2: normal for such data: it is written out and read back, value by value; 1,200 messages, ~1.20 MB. Send one JSON text: 2.5x faster (2.4–2.6x), proven equal, saves 247 µs a message.',
  ]);
  assert.deepEqual(
    others.map((row: string[]) => row.slice(0, 3).join(' ').replace('packages/app/src/', '')),
    [
      'pool.js:41 class/serialized note',
      'pool.js:41 traffic/queue-grows warning',
      'pool.js:41 traffic/long-call warning',
      'tiles.js:30 class/serialized note',
      'tiles.js:30 traffic/transfer-missing warning',
      'tiles.js:30 traffic/chatty warning',
    ],
  );
  const { rules } = tool.driver;
  const help = rules.find(({ id }: { id: string }) => id === 'traffic/queue-grows').help.text;
  assert.match(help, /^The receiver is slower than the sender\..* Source: /);
});

test('a payload is reported at its file, with the rules that fired', () => {
  const { results } = sarifRun(render('sarif', frozen('apply')));
  const [first, ...others] = results.map(rowOf);
  assert.match(first[3], /^orders: serialized on bun 1\.4\.5: .* Send one JSON text: 2\.9x faster/);
  assert.deepEqual(
    others.map((row: string[]) => row.slice(1)),
    [
      ['jsc/nested-value', 'warning', 'orders: $.task: slower: object inside an object (bun 1.4.5).'],
      [
        'jsc/nested-value',
        'warning',
        'orders: $.rows[*].geo: slower: object inside an object 1,200× (bun 1.4.5).',
      ],
      [
        'jsc/long-string-serialized',
        'note',
        'orders: $.notes: long string in a message that is serialized (bun 1.4.5).',
      ],
      [
        'spec/class-instance',
        'warning',
        'orders: $.owner: changed on arrival: class instance (class User) (bun 1.4.5).',
      ],
    ],
  );
});

test('files outside of the repository, on drives and of pages are whole addresses', () => {
  const uris = [
    '/x y/a.js',
    'C:\\x\\a.js',
    'http://localhost:1/a b%20c.js?d#e',
    'src/a:b.js',
    '..\\a.js',
  ].map((file) => {
    const report = structuredClone(frozen('apply'));
    report.payloads[0]!.source.file = file;
    const [result] = sarifRun(render('sarif', report, { folder: 'p' })).results as Result[];
    return Object.values(result!.locations[0]!.physicalLocation.artifactLocation).join(' ');
  });
  assert.deepEqual(uris, [
    'file:///x%20y/a.js',
    'file:///C:/x/a.js',
    'http://localhost:1/a%20b%20c.js?d%23e',
    'p/src/a%3Ab.js %SRCROOT%',
    'p/../a.js %SRCROOT%',
  ]);
});
