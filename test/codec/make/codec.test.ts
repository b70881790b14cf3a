import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pastedCode } from '../../../src/codec/code/call.ts';
import { advisedCodec, codecTestSource, withCodec } from '../../../src/codec/make/codec.ts';
import { REMEDIES, type RemedyName } from '../../../src/codec/remedies/index.ts';
import type { PayloadReport, Run } from '../../../src/model/documents/report.ts';
import type { Plan } from '../../../src/model/documents/trial.ts';
import { type Remedy, withoutSchema } from '../../../src/model/rules/remedy.ts';
import { advice, estimate, payload, report, run, trial } from '../../make.ts';
import { factsOf, shapeOf } from '../codecs/emitted.ts';

const REPORT = report();
const ORDERS = { orders: Array.from({ length: 50 }, (_, id) => ({ id, name: `n${id}`, tags: ['a'] })) };
const part = () => new Uint8Array(new ArrayBuffer(1_000_000), 8, 100);

/** A run in which the first plan of a remedy is advised. */
function advisedRun(name: RemedyName, value: unknown, more: Partial<Run> = {}, id = 'orders'): Run {
  const remedy: Remedy = REMEDIES[name];
  const shape = shapeOf(value);
  const facts = factsOf(value, id);
  const [plan] = remedy.plans(shape, facts) as [Plan];
  const { sender, receiver } = pastedCode(remedy.codec(plan));
  return run('node@24.0.0', {
    shape,
    schema: facts.schema ?? null,
    trials: [trial(remedy.name, 0.4, { path: plan.path, plan: withoutSchema(plan) })],
    advice: advice('apply', {
      remedy: remedy.name,
      path: plan.path,
      gain: estimate(0.4),
      code: `// sender\n${sender}\n\n// receiver\n${receiver}\n`,
    }),
    ...more,
  });
}

test('a long codec: the calls are shown, the functions are in the module', () => {
  const { code, module } = withCodec(REPORT, payload('orders', []), advisedRun('compiled', ORDERS)).advice!;
  assert.match(
    code!,
    /^const message = toMessage\(payload\);\nworker\.postMessage\(message, transferList\(message\)\);$/m,
  );
  assert.doesNotMatch(code!, /function/);
  assert.match(module!, /^export function toMessage\(payload: Payload, onMiss/m);
  assert.match(module!, /What does not fit is cloned in its place;/);
});

test('the advice shows a bare expression; its module has functions, which send misfits unchanged', () => {
  const made = advisedRun('slice-view', { id: 1, data: part() });
  const { code, module } = withCodec(REPORT, payload('tile', []), made).advice!;
  assert.match(code!, /postMessage\(.*payload\.data\.slice\(\)/s);
  assert.doesNotMatch(code!, /function|toMessage/);
  assert.match(module!, /onMiss\?\.\(reason\);\n\s+return payload;/);
  assert.match(module!, /export type Message = Payload;/);
  assert.doesNotMatch(module!, /asIs|fromMessage/);
});

test('a transfer alone misses nothing', () => {
  const made = advisedRun('transfer', { id: 1, data: BYTES });
  const { module } = withCodec(REPORT, payload('tile', []), made).advice!;
  assert.match(module!, /^export function transferList\(message: Payload\): ArrayBuffer\[\] \{$/m);
  assert.doesNotMatch(module!, /Misfits|toMessage/);
});

test('the plan of a stored report is computed again: a plan that does not follow from the shape gives no code', () => {
  const made = advisedRun('compiled', ORDERS);
  const [first] = made.trials;
  const plan = { ...first!.plan, name: "a');process.exit();('" };
  const foreign = { ...made, trials: [{ ...first!, plan }] };
  assert.equal(advisedCodec(REPORT, payload('orders', []), foreign), null);
});

test('if a library sends the payload, the types describe the payload, not the message of the library', () => {
  const envelope = shapeOf({ task: ORDERS, taskId: 1, name: null });
  const { shape, ...others } = advisedRun('compiled', ORDERS);
  const via = { library: 'piscina', path: '$.task', transfers: true, shape } as const;
  const { module } = withCodec(REPORT, payload('orders', []), { ...others, via, shape: envelope }).advice!;
  assert.match(module!, /^export interface Orders \{ orders: /m);
  assert.match(module!.replaceAll('\n// ', ' '), /node 24\.0\.0, worker via piscina\./);
});

const BYTES = new Uint8Array(1_000_000);

/** The test of a codec reads a file by the kind of the payload: `--as` may differ from the ending. */
const SAMPLES: [source: Partial<PayloadReport['source']>, name: RemedyName, value: unknown, reads: RegExp][] =
  [
    [{ file: 'a.dat' }, 'compiled', ORDERS, /JSON\.parse\(readFileSync\(file, 'utf8'\)\)/],
    [{ file: 'a.json' }, 'transfer', BYTES, /new Uint8Array\(readFileSync\(file\)\)/],
    [{ file: 'a.json' }, 'parse-text', JSON.stringify(ORDERS), /=> readFileSync\(file, 'utf8'\);/],
    [{ file: 'a.ndjson', line: 7 }, 'compiled', ORDERS, /'utf8'\)\.split\('\\n'\)\[6\] as string\)/],
    [{ file: 'a.mjs', export: 'rows' }, 'compiled', ORDERS, /\{ rows: made \} = await import\(file\);/],
  ];

for (const [source, name, value, reads] of SAMPLES)
  test(`the test of a codec reads ${JSON.stringify(source)} for ${name}`, () => {
    const given = payload('a', [], { source: { file: '', export: null, ...source } });
    const codec = advisedCodec(REPORT, given, advisedRun(name, value, {}, 'a'))!;
    const where = { codec: 'a.codec.ts', runner: 'node', language: 'typescript' } as const;
    assert.match(codecTestSource(codec, { ...where, sample: codec.sample! }), reads);
  });
