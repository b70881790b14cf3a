import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareVersions, inRange, turningPoints } from '../../src/engines/versions/versions.ts';

const IN_RANGE: [string, string, boolean][] = [
  ['1.2.20', '>=1.2.21', false],
  ['1.2.21', '>=1.2.21', true],
  ['1.3.9', '>=1.2.22 <1.3.10', true],
  ['1.3.10', '>=1.2.22 <1.3.10', false],
  ['1.10.0', '>=1.9.0', true],
  ['20.20.2', '*', true],
  ['20.20.2', '', true],
  ['v24.21.0', '>=21', true],
  ['21.0.0', '<21', false],
  ['20.99.99', '<21', true],
  ['22.9.0', '<20 || >=22.10.0', false],
  ['22.10.0', '<20 || >=22.10.0', true],
  ['18.0.0', '<20 || >=22.10.0', true],
  ['1.4.6-canary.12+abcdef', '>=1.4.6', true],
  ['1.4.5', '1.4.5', true],
  ['1.4.5', '=1.4', false],
  ['1.4.0', '=1.4', true],
  ['1.4.1', '>1.4.1', false],
  ['1.4.1', '<=1.4.1', true],
  ['153.0.1.2', '>=137', true],
];

for (const [version, range, expected] of IN_RANGE) {
  test(`${version} in ${JSON.stringify(range)}: ${expected}`, () => {
    assert.equal(inRange(version, range), expected);
  });
}

test('versions are compared by number, not by text', () => {
  assert.ok(compareVersions('1.3.10', '1.3.9') > 0);
  assert.ok(compareVersions('1.2', '1.2.1') < 0);
  assert.equal(compareVersions('v20.0', '20'), 0);
});

test('turning points are the versions that a range names', () => {
  assert.deepEqual(turningPoints('>=1.2.22 <1.4.0 || >=2'), ['1.2.22', '1.4.0', '2']);
  assert.deepEqual(turningPoints('*'), []);
});

test('malformed versions and ranges are refused', () => {
  assert.throws(() => inRange('latest', '>=1'), RangeError);
  assert.throws(() => inRange('1.2.3', '^1.2'), RangeError);
});
