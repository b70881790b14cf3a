/** Where remedies apply: paths of their plans for a value, as the engines store it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REMEDIES, type RemedyName } from '../../src/codec/remedies/index.ts';
import { inferSchema } from '../../src/codec/schema/payload-schema.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import type { EngineName } from '../../src/model/names.ts';
import type { Classification } from '../../src/model/rules/rule.ts';
import { compare } from '../../src/value/compare/compare.ts';
import { describe } from '../../src/value/describe/describe.ts';
import { assumedStorage } from '../../src/value/describe/inspect/storage.ts';
import { typeDetection } from '../support/probe.ts';
import { shapeOf } from './codecs/emitted.ts';
import { PLAN_ROWS, type PlanRow } from './plan-rows.ts';

const NOTHING_FOUND = { verdict: {}, findings: [] } as unknown as Classification;

function shown({ path, paths = [path], lists, form, forms }: Plan): string {
  if (lists !== undefined)
    return (lists as { path: string; type: string }[]).map((list) => `${list.path} ${list.type}`).join(', ');
  if (forms !== undefined)
    return (forms as { path: string; form: string }[]).map((one) => `${one.path} ${one.form}`).join(', ');
  return [...(form === undefined ? [] : [form]), ...(paths as string[])].join(' ');
}

function plansOf(
  name: RemedyName,
  engine: EngineName,
  { make, facts, strings, platformClass }: PlanRow,
): string[] {
  const storage = assumedStorage(engine);
  if (strings !== undefined) storage.string = () => strings;
  const value = make();
  const shape = describe(value, { types: typeDetection, storage, utf8Bytes: Buffer.byteLength });
  for (const row of shape.patterns) if (row.kind === 'platform' && platformClass) row.tag = platformClass;
  const schema = platformClass || facts?.isSequence ? null : inferSchema([value], typeDetection, false);
  return REMEDIES[name].plans(shape, { ...NOTHING_FOUND, schema, ...facts }).map(shown);
}

for (const [name, rows] of Object.entries(PLAN_ROWS) as [RemedyName, PlanRow[]][]) {
  test(`${name}: at least one row applies, and at least one row does not`, () => {
    const plans = rows.map(({ v8, jsc }) => v8.length + jsc.length);
    assert.ok(plans.some((count) => count > 0) && plans.includes(0));
  });
  for (const row of rows)
    for (const engine of ['v8', 'jsc'] as const)
      test(`${name}, ${engine}: ${row.value}`, () => {
        assert.deepEqual(plansOf(name, engine, row), row[engine]);
      });
}

test('transfer: whole buffers, and objects of the platform that are moved there', () => {
  const value = {
    view: new Uint8Array(4),
    port: new MessageChannel().port1,
    part: new Uint8Array(new ArrayBuffer(9), 1),
  };
  const shape = shapeOf(value);
  const planned = (moves?: (name: string) => boolean) =>
    REMEDIES.transfer.plans(shape, { ...NOTHING_FOUND, ...(moves && { moves }) });
  assert.deepEqual(planned(), [{ path: '$.view', paths: ['$.view'], inline: ['view'] }]);
  const paths = ['$.view', '$.port'];
  const [plan, ...others] = planned((name) => name === 'MessagePort');
  assert.deepEqual(
    [plan, others],
    [{ path: '$', paths, classes: ['MessagePort'], inline: ['view', 'buffer'] }, []],
  );
  assert.match(
    REMEDIES.transfer.codec(plan!).calls.sender,
    /postMessage\(payload, \[payload\.view\.buffer, payload\.port\]\);$/,
  );
  const { view, port } = value;
  assert.deepEqual(REMEDIES.transfer.transfer?.(value, plan!), [view.buffer, port]);
  const moved = structuredClone(value, { transfer: [view.buffer, port] });
  assert.deepEqual([moved.port instanceof MessagePort, compare(value.port, moved.port)], [true, []]);
});
