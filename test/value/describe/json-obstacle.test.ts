import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describe } from '../../../src/value/describe/describe.ts';
import { jsonObstacle } from '../../../src/value/describe/json-safety.ts';
import { probeFor } from '../../support/probe.ts';

const probe = await probeFor({ assume: 'v8' });

class Point {
  x = 1;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const shared = { a: 1 };

test('the value that JSON text does not give back', () => {
  const rows: [value: unknown, obstacle: string | null][] = [
    [{ a: [1, 'x', null, true, { b: {} }] }, null],
    [['\ud800'], null],
    [JSON.parse('{"__proto__":{"a":1}}'), null],
    [{ 1: 'a', 0: 'b' }, null],
    [Object.freeze({ a: 1 }), null],
    [['x'.repeat(100), 'x'.repeat(100)], null],
    ['text', '$ is one string'],
    [null, '$ is null'],
    [new Map(), '$ is of type Map'],
    [{ rows: [{ at: 1 }, { at: new Date(0) }] }, '$.rows[1].at is of type Date'],
    [{ a: 1, b: undefined }, '$.b is of type undefined'],
    [{ a: [1, Number.NaN] }, '$.a[1] is NaN'],
    [[-0], '$[0] is -0'],
    [[Number.POSITIVE_INFINITY], '$[0] is not finite'],
    [Object(1), '$ is of type Number'],
    [Object.create(null), '$ has no prototype'],
    [new (class A extends Array {})(), '$ is an instance of a subclass'],
    [{ [Symbol('s')]: 1 }, '$ has a symbol as a key'],
    [Object.defineProperty({}, 'a', { value: 1 }), '$ has a property that is not enumerable'],
    [Object.assign([1], { a: 1 }), '$ has properties beside its elements'],
    [{ toJSON: () => 1 }, '$ has a toJSON method'],
    [{ a: new Array(3) }, '$.a has holes'],
    [{ a: 1n }, '$.a is of type BigInt'],
    [{ a: new Float64Array(2) }, '$.a is of type Float64Array'],
    [{ a: new Point() }, '$.a is an instance of a class'],
    [{ a: shared, b: shared }, '$.b occurs more than once'],
    [{ a: () => 1 }, '$.a is of type function'],
    [nested(2500), '$ is nested more than 2000 levels deep'],
  ];
  for (const [value, expected] of rows) {
    const shape = describe(value, probe);
    const found = jsonObstacle(shape);
    assert.equal(found && `${found.path} ${found.what}`, expected);
    if (expected === null) assert.deepEqual(JSON.parse(JSON.stringify(value)), value);
    // One string or null alone is safe, and is not worth a text.
    const isAlone = value === null || typeof value === 'string';
    assert.equal(shape.jsonSafe, expected === null || isAlone, String(expected));
  }
  assert.equal(jsonObstacle(null), null);
});
