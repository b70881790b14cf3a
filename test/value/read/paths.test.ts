import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatPath,
  keyText,
  parsePath,
  pathFits,
  pathOfTrail,
  patternOf,
} from '../../../src/value/read/paths.ts';

test('keys are written as names or as JSON strings', () => {
  const rows: [string, string][] = [
    ['id', '.id'],
    ['$x_1', '.$x_1'],
    ['', '[""]'],
    ['a b', '["a b"]'],
    ['content-type', '["content-type"]'],
    ['1', '["1"]'],
    ['*', '["*"]'],
    ['quo"te', '["quo\\"te"]'],
    ['\u001b[31m', '["\\u001b[31m"]'],
    ['\ud800', '["\\ud800"]'],
    ['é', '["é"]'],
    ['__proto__', '.__proto__'],
  ];
  for (const [key, text] of rows) {
    assert.equal(keyText(key), text);
    assert.deepEqual(parsePath(`$${text}`), [{ type: 'key', key }], text);
  }
});

test('parsing and formatting a path are inverse', () => {
  for (const path of [
    '$',
    '$.items[*].geo',
    '$["a.b"][3]{key:0}.x',
    '$.*..',
    '$[*]{value}{member}',
    '$.a…[7]',
  ]) {
    const steps = parsePath(path);
    assert.ok(steps, path);
    assert.equal(formatPath(steps), path);
  }
});

test('texts that are not paths are rejected', () => {
  for (const text of ['', 'a', '$x', '$.', '$[', '$[-1]', '$["a]', '$.a-b', '$ .a'])
    assert.equal(parsePath(text), null, text);
});

test('a pattern matches its paths', () => {
  const rows: [string, string, boolean][] = [
    ['$', '$', true],
    ['$.a', '$.a', true],
    ['$.a', '$.b', false],
    ['$[*].a', '$[12].a', true],
    ['$[*].a', '$[*].a', true],
    ['$[3]', '$[4]', false],
    ['$.*', '$.anything', true],
    ['$.*', '$[0]', false],
    ['$.m{value}', '$.m{value:3}', true],
    ['$.m{value}', '$.m{key:3}', false],
    ['$.a..', '$.a.b[3]', true],
    ['$.a..', '$.a', false],
    ['$.a.b', '$.a', false],
    ['$.a…b', '$.a…b', false],
  ];
  for (const [pattern, path, fits] of rows) assert.equal(pathFits(pattern, path), fits, `${pattern} ${path}`);
});

test('the pattern of a concrete path', () => {
  assert.equal(patternOf('$.items[3].geo{value:2}'), '$.items[*].geo{value}');
  assert.equal(patternOf('items'), null);
});

test('a long path is shortened in the middle', () => {
  assert.equal(pathOfTrail(['', 'a', 3, { part: 'value', index: 1 }], 3), '$.a[3]{value:1}');
  const deep = pathOfTrail(['', ...new Array<string>(1e6).fill('next')], 1e6);
  assert.ok(deep.length < 400 && deep.startsWith('$.next.next') && deep.endsWith('.next'));
  assert.equal(deep.split('…').length, 2);
  const wide = pathOfTrail(['', 'k'.repeat(1e6)], 1);
  assert.ok(wide.length < 200 && wide.includes('…'));
});
