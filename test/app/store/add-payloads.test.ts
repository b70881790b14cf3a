import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withLimits, withPayloads } from '../../../src/app/store/config.ts';

const rows = { input: 'rows.mjs' };

test('a payload is added in the style of the text', async () => {
  const cases: [string, string][] = [
    ['{}\n', '{\n  "payloads": [\n    {\n      "input": "rows.mjs"\n    }\n  ]\n}\n'],
    [
      '{\n\t"payloads": ["a.json"],\n\t"new": "ok"\n}\n',
      '{\n\t"payloads": [\n\t\t"a.json",\n\t\t{\n\t\t\t"input": "rows.mjs"\n\t\t}\n\t],\n\t"new": "ok"\n}\n',
    ],
  ];
  for (const [text, expected] of cases) {
    const added = withPayloads({ text, at: [] }, [rows]);
    assert.deepEqual(JSON.parse(added), JSON.parse(expected));
    assert.ok(text.includes('\t') === added.includes('\t') && !added.includes('\r'));
  }
});

test('an existing entry stays unchanged, even if the user has named it', async () => {
  for (const text of ['{"payloads":["rows.mjs"]}', '{"payloads":[{"input":"rows.mjs","id":"mine"}]}'])
    assert.equal(withPayloads({ text, at: [] }, [rows]), text);
});

test('the key of package.json is changed, and nothing else of it', async () => {
  const text = '{\r\n    "name": "app",\r\n    "clone-prof": { "payloads": [] },\r\n    "private": true\r\n}';
  const added = withPayloads({ text, at: ['clone-prof'] }, [rows, { input: 'two.mjs' }]);
  assert.ok(
    added.startsWith('{\r\n    "name": "app",\r\n') && added.endsWith(',\r\n    "private": true\r\n}'),
  );
  assert.deepEqual(JSON.parse(added)['clone-prof'].payloads, [rows, { input: 'two.mjs' }]);
});

test('limits are set in the entry of the payload; a payload without an entry changes nothing', async () => {
  const text = '{"payloads":["a.json",{"input":"rows.mjs","limits":{"lossy":"warn"}}]}';
  const changed = withLimits({ text, at: [] }, 'rows.mjs', { lossy: 'off', maxAmplification: 3 });
  assert.deepEqual(JSON.parse(changed).payloads[1].limits, { lossy: 'off', maxAmplification: 3 });
  assert.equal(withLimits({ text, at: [] }, 'other.mjs', { lossy: 'off' }), text);
  const added = withPayloads({ text: '{"__proto__":{"payloads":[]}}', at: [] }, [{ input: '__proto__' }]);
  assert.deepEqual(JSON.parse(added).payloads, [{ input: '__proto__' }]);
});
