import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { marked } from 'marked';
import { jsonSchema } from '../../src/app/store/documents.ts';
import { RULES } from '../../src/engines/rule-book/rule-book.ts';
import { checkReport } from '../../src/gate/compare/check-report.ts';
import type { CheckReport } from '../../src/model/documents/check.ts';
import type { Run } from '../../src/model/documents/report.ts';
import { CHECKED } from '../../src/model/gate/limits.ts';
import { CHECK_FORMATS } from '../../src/model/report/formats.ts';
import { reportBenchmark } from '../../src/report/ci-formats.ts';
import { partOf, resultWith as result } from '../gate/compare/runs.ts';
import { finding, measurement, payload, report, run } from '../make.ts';
import { FROZEN, frozen, render } from './render.ts';
import { assertNoCommands } from './safe.ts';
import { sarifRun } from './sarif-schema.ts';

/** Keys, names and messages with a meaning for a terminal, a runner, HTML, Markdown, XML or a URI. */
const NASTY = [
  '::error file=x::y',
  '\n::set-output name=a::b',
  '%0A::warning::z',
  '</script><img src=x onerror=alert(1)>',
  ']]> <!-- --> &amp; &#x41;',
  '| a | b |\n|---|---|',
  '`*_~[x](javascript:1) @someone #1',
  '\u001b[31m\u0007\u0000\u202e\ufffe\uffff',
  '\ud800 lone',
  '##[command]x ##vso[task.x]',
  'a,b:c=d%25',
  'C:\\dir\\file.json',
];

const OUTCOMES = ['failed', 'passed', 'unsure', 'not-measured', 'unmatched'] as const;
const everything = OUTCOMES.flatMap((outcome) =>
  (['error', 'warn'] as const).flatMap((level) =>
    CHECKED.map((limit, i) =>
      result({
        limit,
        level,
        outcome,
        payload: `${outcome}-${level}`,
        channel: i % 2 === 0 ? 'worker' : 'ipc-advanced',
        line: i + 1,
        path: outcome === 'failed' ? '$[*].geo' : null,
        example: outcome === 'failed' ? '$[3].geo' : null,
        rule: outcome === 'failed' ? 'jsc/nested-value' : null,
        was: 'shared',
        ...(outcome === 'passed' || outcome === 'failed' ? {} : { reason: `because of ${limit}` }),
      }),
    ),
  ),
);

const hostile = NASTY.map((text, i) =>
  result({
    payload: text,
    runtime: text,
    outcome: OUTCOMES[[0, 3, 4][i % 3] ?? 0] ?? 'failed',
    written: text,
    against: 'baseline',
    path: `$[${JSON.stringify(text)}]`,
    example: text,
    rule: text,
    file: text,
    line: 1,
    reason: text,
  }),
);

const REPORTS: Record<string, CheckReport> = {
  empty: checkReport(partOf([])),
  kept: checkReport(partOf([result({}), result({ limit: 'lossy' })])),
  everything: checkReport(partOf(everything)),
  hostile: checkReport(
    partOf(hostile, {
      tool: { version: NASTY.join() },
      inputs: { config: NASTY.join(), baseline: NASTY.join(), baselineFile: NASTY.join() },
      failures: NASTY.map((text) => ({ payload: text, file: text, code: text, message: text })),
      pending: NASTY.map((text) => ({ payload: text, what: text, from: text, to: text, file: text })),
      compared: NASTY.map((text) => ({
        ...{ payload: text, runtime: text, channel: text, before: null },
        now: { class: 'serialized', path: 'fast-object', bytes: 12, nodes: 1, depth: 1 },
      })),
    }),
  ),
  'a shard': checkReport(partOf([result({})], { shard: { index: 1, count: 2 } })),
  'failures only': checkReport(
    partOf([], {
      failures: [{ payload: 'a', file: 'a.json', code: 'file-missing', message: 'a.json: no such file' }],
    }),
  ),
};

const problems = ({ results }: CheckReport) => results.filter(({ outcome }) => outcome !== 'passed');

for (const [name, report] of Object.entries(REPORTS)) {
  test(`${name}: every format ends in a line end and holds no command`, () => {
    for (const format of CHECK_FORMATS.filter((one) => one !== 'json')) {
      const text = render(format, report);
      assert.match(text, /\S\n$/, format);
      if (format !== 'github') assertNoCommands(text);
    }
  });

  test(`${name}: JSON fits the published schema and is the report`, () => {
    const validate = new Ajv2020({ allErrors: true }).compile(jsonSchema('check.schema.json'));
    const data = JSON.parse(render('json', report)) as CheckReport;
    assert.equal(validate(data), true, JSON.stringify(validate.errors));
    assert.equal(data.results.length, report.results.length);
    assert.deepEqual(data, JSON.parse(JSON.stringify(report)));
  });

  test(`${name}: SARIF fits 2.1.0 and lists what did not pass, and what the config changes`, () => {
    const run = sarifRun(render('sarif', report));
    const notes = run.results.filter(({ level }: { level: string }) => level === 'note').length;
    assert.equal(notes, (report.pending ?? []).length);
    assert.equal(run.results.length - notes, problems(report).length);
    assert.equal(run.invocations[0].executionSuccessful, report.failures.length === 0);
  });

  test(`${name}: JUnit is well-formed and counts right`, () => {
    const text = render('junit', report);
    assert.equal(XMLValidator.validate(text), true);
    const parser = new XMLParser({
      ignoreAttributes: false,
      isArray: (tag) => tag === 'testsuite' || tag === 'testcase',
    });
    const { testsuites } = parser.parse(text);
    const suites = testsuites.testsuite ?? [];
    const cases = suites.flatMap((suite: { testcase?: unknown[] }) => suite.testcase ?? []);
    const counted = (kind: string) => cases.filter((one: Record<string, unknown>) => kind in one).length;
    const pending = (report.pending ?? []).length;
    assert.equal(cases.length, report.results.length + report.failures.length + pending);
    assert.equal(Number(testsuites['@_tests']), cases.length);
    assert.equal(Number(testsuites['@_failures']), counted('failure'));
    assert.equal(Number(testsuites['@_errors']), counted('error'));
    assert.equal(Number(testsuites['@_skipped']), counted('skipped'));
    const broken = report.results.filter(
      ({ level, outcome }) => level === 'error' && (outcome === 'failed' || outcome === 'unmatched'),
    );
    assert.equal(counted('failure'), broken.length);
  });

  test(`${name}: Markdown renders to the reporter's own elements, with one row for each cause`, () => {
    const page = marked.parse(render('markdown', report), { gfm: true, async: false });
    const tags = new Set([...page.matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag));
    const ours = new Set('h2 h4 p ul li code table thead tbody tr th td details summary'.split(' '));
    const strange = [...tags].filter((tag = '') => !ours.has(tag));
    assert.deepEqual(strange, []);
    const countOf = (tag: string) => page.split(tag).length - 1;
    const causes = problems(report).map(({ payload, runtime, channel, path, limit }) => {
      const cause = limit === 'codec' ? limit : (path?.replaceAll(/\d+(?=\])/g, '*') ?? limit);
      return [payload, runtime, channel, cause].join(' ');
    });
    const rows = new Set(causes).size + (report.pending ?? []).length;
    assert.equal(countOf('<tr>') - countOf('<thead>'), rows);
    for (const { limit } of problems(report)) assert.ok(page.includes(limit), limit);
  });

  test(`${name}: a runner finds one annotation for each problem, and no other command`, () => {
    const lines = render('github', report).trimEnd().split('\n');
    const commands = lines.map(parsedCommand).filter((command) => command !== null);
    const notices = commands.filter(({ name: kind }) => kind === 'notice').length;
    assert.equal(notices, (report.pending ?? []).length);
    assert.equal(commands.length - notices, problems(report).length + report.failures.length);
    assert.ok(commands.every(({ name: kind }) => ['error', 'warning', 'notice'].includes(kind)));
    assert.equal(lines.length, commands.length + 1);
    for (const { properties } of commands) {
      assert.deepEqual(
        Object.keys(properties).filter((key) => !['file', 'line', 'title'].includes(key)),
        [],
      );
    }
  });
}

/** As the runner reads a line: actions/runner, ActionCommand.TryParseV2. */
function parsedCommand(line: string) {
  const [, name, said = '', data = ''] = /^\s*::([a-z-]+)(?: (.*?))?::(.*)$/i.exec(line) ?? [];
  if (name === undefined) return null;
  const properties = Object.fromEntries(
    said
      .split(',')
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  return { name, properties, data };
}

test('errors come first, because a runner shows only ten of each kind', () => {
  const kinds = render('github', REPORTS.everything!)
    .split('\n')
    .map(parsedCommand)
    .flatMap((command) => command?.name ?? []);
  assert.deepEqual(kinds, kinds.toSorted());
});

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

const namesOf = (runs: Run[]): string[] => {
  const figures: { name: string }[] = JSON.parse(reportBenchmark(report(payload('a', runs))));
  return figures.map(({ name }) => name);
};

test('two versions of one major version have their full names, and channels are named but for workers', () => {
  const runs = (['node@24.20.0', 'node@24.21.0', 'node@26.1.0', 'bun@1.4.5'] as const).map((spec) =>
    run(spec, { measurement: null, channel: spec === 'bun@1.4.5' ? 'message-port' : 'worker' }),
  );
  assert.deepEqual(namesOf(runs), [
    ...['a · node@24.20.0 · bytes', 'a · node@24.21.0 · bytes', 'a · node@26 · bytes'],
    'a · bun@1 · message-port · bytes',
  ]);
});

test('a round trip of too few samples is left out, and so is what failed', () => {
  const rare = measurement(400_000);
  const roundTrip = { ...rare.roundTrip, samples: 2, processes: 1 };
  const runs = [
    run('node@24.21.0', { measurement: { ...rare, roundTrip } }),
    run('bun@1.4.5', { status: 'failed', measurement: null, verdict: null, bytes: null }),
  ];
  assert.deepEqual(namesOf(runs), ['a · node@24 · bytes']);
});
