import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AppEvent, analyze, check, REPORT_SCHEMA, sweep } from '../../../src/index.ts';
import { reportSchema } from '../../../src/model/documents/report.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { ROOT } from '../../support/spawn-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { onlyInWhole } from '../../support/whole.ts';

const folder = tempFolder('library');
writeFileSync(join(folder, 'rows.json'), JSON.stringify([{ id: 1 }, { id: 2 }]));
writeFileSync(
  join(folder, 'two.mjs'),
  'export const a = new Map([[1, 2]]);\nexport const b = { run() {} };\n',
);

const here = { cwd: folder, runtimes: ['node'] };

test('classified in the real runtime, without measuring', async () => {
  const report = await analyze('rows.json', { ...here, measure: false });
  assert.equal(report.schema, REPORT_SCHEMA);
  assert.ok(reportSchema.safeParse(report).success);
  const [run] = report.payloads[0]!.runs;
  assert.equal(run?.status, 'classified');
  assert.equal(run.verdict?.path, 'packed-array');
  assert.equal(run.verdict.confirmed, true);
});

test('measured, with progress events and a long timeout', async () => {
  const events: AppEvent['type'][] = [];
  const report = await analyze(['rows.json'], {
    ...here,
    budgetMs: 300,
    seed: 7,
    // Beyond the longest timer, which would fire at once.
    timeoutMs: 2 ** 40,
    onEvent: ({ type }) => events.push(type),
  });
  const run = report.payloads[0]!.runs[0]!;
  assert.equal(run.status, 'measured', run.error?.message);
  assert.ok(Number.isFinite(run.measurement?.roundTrip.median));
  assert.equal(report.seed, 7);
  for (const type of ['started', 'classified', 'run-done', 'payload-done'] as const)
    assert.ok(events.includes(type), type);
});

test('exports can be chosen', async () => {
  const { payloads } = await analyze('two.mjs', { ...here, measure: false, exports: ['b'] });
  assert.deepEqual(
    payloads.map(({ id, runs }) => [id, runs[0]?.verdict?.path]),
    [['two#b', 'rejected']],
  );
});

test('a missing runtime is a failed run beside another, else an error, like no input', async () => {
  const terms = { cwd: folder, measure: false, offline: true };
  const report = await analyze('rows.json', { ...terms, runtimes: ['node', 'bun@0.0.1'] });
  const statuses = report.payloads[0]!.runs.map(({ status }) => status);
  assert.deepEqual(statuses, ['classified', 'failed']);
  const old = { ...terms, runtimes: ['bun@0.0.1'] };
  await assert.rejects(analyze('rows.json', old), { name: 'ToolError', code: 'runtime-too-old' });
  await assert.rejects(analyze([], terms), { name: 'ToolError', code: 'no-input' });
});

test('an aborted analysis returns what is done and leaves no temporary folder', async (t) => {
  const temp = join(folder, 'temp');
  mkdirSync(temp);
  const { TMPDIR } = process.env;
  t.after(() => {
    process.env.TMPDIR = TMPDIR;
    if (TMPDIR === undefined) delete process.env.TMPDIR;
  });
  process.env.TMPDIR = temp;
  const report = await analyze('rows.json', { ...here, signal: AbortSignal.abort() });
  assert.deepEqual(report.payloads, []);
  assert.deepEqual(readdirSync(temp), []);
});

test('a value of the program, and what a function makes, are one payload', async () => {
  const rows = [
    { id: 1, when: new Date(5), tags: new Set(['a']) },
    { id: 2n, buffer: new Uint8Array(3) },
  ];
  for (const payload of [rows, () => rows, async () => rows]) {
    const report = await analyze(payload, { ...here, measure: false });
    const [one, ...others] = report.payloads;
    assert.deepEqual([one?.id, one?.source.file, others], ['value', 'value', []]);
    const kinds = one?.runs[0]?.shape?.patterns.map(({ pattern, kind }) => `${pattern} ${kind}`) ?? [];
    for (const kind of ['$[*].when date', '$[*].tags set', '$[*].id bigint', '$[*].buffer typedarray'])
      assert.ok(kinds.includes(kind), `${kind} in ${kinds}`);
  }
  const texts = await analyze(() => ['a.json'], { ...here, measure: false });
  assert.equal(texts.payloads[0]?.runs[0]?.shape?.nodes, 2);
});

test('a value is measured; an instance loses its class, a function cannot be made elsewhere', async () => {
  const report = await analyze({ rows: [1, 2, 3] }, { ...here, budgetMs: 300 });
  assert.equal(report.payloads[0]?.runs[0]?.status, 'measured', report.payloads[0]?.runs[0]?.error?.message);
  class Customer {
    name = 'x';
  }
  const [run] = (await analyze({ customer: new Customer() }, { ...here, measure: false })).payloads[0]!.runs;
  assert.ok(run?.findings.some(({ rule, path }) => rule === 'spec/class-instance' && path === '$.customer'));
  const message = /cannot be made again in another process: .*function.*analyze\('payload\.mjs'\)/;
  await assert.rejects(analyze({ run() {} }, here), message);
});

const refusal = (message: RegExp) => ({ name: 'ToolError', code: 'usage', message });

for (const [options, message] of [
  [{ runtimes: 'node' }, /^analyze: runtimes: expected array; got "node"$/],
  [{ channels: ['foo'] }, /^analyze: channels\[0\]: expected one of "worker".*; got "foo"$/],
  [{ budgetMs: '5s' }, /^analyze: budgetMs: expected number; got "5s"$/],
  [
    { measure: 'no', via: ['none'] },
    /^analyze: via\[0\]: .*got "none"; measure: expected boolean; got "no"$/,
  ],
  [{ runtime: ['node'] }, /^analyze: unknown key "runtime"\. Known: .*runtimes/],
  [null, /^analyze: expected object; got null$/],
] as const)
  test(`analyze refuses the options ${JSON.stringify(options)}`, () =>
    assert.rejects(analyze({ a: 1 }, options as never), refusal(message)));

test('sweep and check refuse unknown options too', async () => {
  await assert.rejects(
    sweep('a.json', { exports: ['a'] } as never),
    refusal(/^sweep: unknown key "exports"/),
  );
  await assert.rejects(check([], { measure: false } as never), refusal(/^check: unknown key "measure"/));
});

// Data of other packages: the verdicts on it must be what Node and Bun really do.

const { resolve } = createRequire(import.meta.url);
const FILES = [
  resolve('mime-db/db.json'),
  join(ROOT, 'node_modules', 'caniuse-lite', 'data', 'agents.js'),
  join(ROOT, 'node_modules', '@mdn', 'browser-compat-data', 'data.json'),
];
/** Beyond this size the engine is asked only when the payload is measured. */
const ASKED_BELOW_BYTES = 1_000_000;

test('no verdict on the data of other packages is wrong', {
  skip: missing('bun@1.4.5') || onlyInWhole,
}, async () => {
  const bun = runtime('bun@1.4.5');
  const report = await analyze(FILES, { runtimes: ['node', bun.binary], measure: false });
  assert.ok(report.payloads.length > 3, 'each export of a module is a payload');
  for (const { id, error, runs } of report.payloads) {
    assert.equal(error, null, id);
    assert.deepEqual(
      runs.map((run) => run.runtime.name),
      ['node', 'bun'],
      id,
    );
    for (const { runtime: where, status, verdict, shape } of runs) {
      const place = `${id} on ${where.name}`;
      assert.equal(status, 'classified', place);
      const small = (shape?.jsonBytes ?? Number.POSITIVE_INFINITY) < ASKED_BELOW_BYTES;
      assert.equal(verdict?.confirmed, small ? true : null, place);
    }
  }
});
