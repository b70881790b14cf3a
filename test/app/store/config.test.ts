import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bundleModule } from '../../../src/app/sources/bundle.ts';
import { readConfig, withLimits, withPayloads } from '../../../src/app/store/config.ts';
import { jsonSchema } from '../../../src/app/store/documents.ts';
import type { LimitName } from '../../../src/model/gate/limits.ts';
import type { CheckConfig } from '../../../src/model/run/check-config.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isToolError } from '../../support/tool-errors.ts';

async function read(files: Record<string, string>, file: string | null = null): Promise<CheckConfig> {
  const folder = tempFolder('config');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compile = (path: string) => bundleModule(path, join(folder, 'compiled'), folder);
  return readConfig(folder, { file, root: folder, compile, onRun: () => {} });
}

const readJson = (config: unknown) => read({ 'clone-prof.config.json': JSON.stringify(config) });
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
  jsonSchema('config.schema.json'),
);

/** As it is written, and what it means: a level, a value, and what it is compared with. */
const GOOD: [name: LimitName, written: unknown, means: unknown[]][] = [
  ['class', 'in-memory', ['error', 'in-memory']],
  ['class', ['warn', 'bulk'], ['warn', 'bulk']],
  ['class', 'baseline', ['error', true, 'baseline']],
  ['class', 'off', ['off', true]],
  ['rejected', 'off', ['off', true]],
  ['lossy', 'error', ['error', true]],
  ['transfer', 'all', ['error', true]],
  ['maxBytes', '64KiB', ['error', 65_536]],
  ['maxBytes', '1.5 MB', ['error', 1.5e6]],
  ['maxBytes', '+10 %', ['error', 0.1, 'baseline']],
  ['maxNodes', 1000, ['error', 1000]],
  ['maxNodes', '+0%', ['error', 0, 'baseline']],
  ['maxAmplification', 1.5, ['error', 1.5]],
  ['time', ['warn', '+10%'], ['warn', 0.1, 'baseline']],
];

for (const [name, written, [level, value, against]] of GOOD) {
  test(`limit: ${name}: ${JSON.stringify(written)}`, async () => {
    const config = { payloads: [{ input: 'a.json', limits: { [name]: written } }] };
    const { entries } = await readJson(config);
    const { text: _, ...limit } = { against: undefined, ...entries[0]!.limits[name]! };
    assert.deepEqual(limit, { level, value, against });
    assert.equal(validate(config), true, JSON.stringify(validate.errors));
  });
}

const BAD: [what: string, config: unknown, message: RegExp][] = [
  [
    'a size without its unit',
    { payloads: [{ input: 'a.json', limits: { maxBytes: 64 } }] },
    /payloads\[0\]\.limits\.maxBytes: expected a size with its unit .*"64 kB".*; got 64$/,
  ],
  [
    'a limit by another name',
    { payloads: [{ input: 'a.json', limits: { maxByte: '1 kB' } }] },
    /payloads\[0\]\.limits: unknown key "maxByte"\. Known: class, maxBytes/,
  ],
  [
    'a level by another name',
    { limits: { class: ['fatal', 'bulk'] } },
    /limits\.class: expected .*\["warn", "in-memory"\].*; got \["fatal","bulk"\]$/,
  ],
  [
    'time within the noise',
    { limits: { time: '+2%' } },
    /limits\.time: expected a growth of at least 5 % .*; got "\+2%"$/,
  ],
  ['no input', { payloads: [{ id: 'a' }] }, /payloads\[0\]\.input: expected string; got nothing$/],
  ['no runtime', { runtimes: [] }, /runtimes: .*>=1 items; got \[\]$/],
  ['a text instead of an object', 'strict', /expected object; got "strict"$/],
];

for (const [what, config, message] of BAD) {
  test(`bad config: ${what}`, async () => {
    await assert.rejects(readJson(config), (error: Error) => {
      isToolError('config-bad', message)(error);
      assert.match(error.message, /^clone-prof\.config\.json: /);
      assert.doesNotMatch(error.message, /Invalid input|undefined/);
      return true;
    });
    assert.equal(validate(config), what === 'time within the noise');
  });
}

const STRICT = '{ "extends": "strict", "payloads": ["a.json"] }';
const PLACES = {
  'clone-prof.config.json': `\ufeff${STRICT}`,
  'clone-prof.config.mjs': `export default ${STRICT}`,
  'clone-prof.config.js': `module.exports = ${STRICT}`,
  'clone-prof.config.ts': `interface C { extends: string; payloads: string[] }\nexport default ${STRICT} satisfies C;`,
  'package.json': `{ "name": "x", "clone-prof": ${STRICT} }`,
};

for (const [name, text] of Object.entries(PLACES)) {
  test(`a config in ${name}`, async () => {
    const { file, entries } = await read({ [name]: text });
    assert.deepEqual([file, entries[0]?.input], [name, 'a.json']);
    const limit = { level: 'error', value: 1.1, text: '1.1', preset: true };
    assert.deepEqual(entries[0]?.limits.maxAmplification, limit);
  });
}

test('a missing config means the recommended limits and no payloads', async () => {
  const { file, entries, common } = await read({ 'package.json': '{"name":"x"}' });
  assert.deepEqual([file, entries, common.runtimes], [null, [], ['node']]);
  assert.equal(common.limits.rejected?.level, 'error');
});

test('limits of a payload override the common limits, which override the preset', async () => {
  const { entries } = await readJson({
    limits: { lossy: 'error', class: 'bulk' },
    payloads: [{ input: 'a.json', limits: { class: 'off' } }, 'b.json'],
  });
  const told = entries.map(({ limits: { class: own, lossy, rejected } }) =>
    [own?.level, own?.value, lossy?.level, rejected?.level].join(),
  );
  assert.deepEqual(told, ['off,true,error,error', 'error,bulk,error,error']);
});

const ENDS: [code: string, why: RegExp][] = [
  ['process.exit(0)', /it ended \(exit code 0\) before its export was known/],
  ['setInterval(() => {}, 100); await new Promise(() => {})', /it took longer than 800 ms/],
  ['export default { payloads: [() => 1] }', /its default export is more than data/],
  ['export default Promise.reject(new Error("late")); await 1;', /more than data|late/],
];

for (const [code, why] of ENDS)
  test(`a config ends neither the gate nor its error: ${code}`, async () => {
    const folder = tempFolder('config');
    writeFileSync(join(folder, 'clone-prof.config.mjs'), code);
    const place = { file: null, root: folder, compile: async () => '', onRun: () => {} };
    // A process starts within a second or two on a busy machine.
    const timeoutMs = code.startsWith('setInterval') ? 800 : 20_000;
    await assert.rejects(readConfig(folder, { ...place, timeoutMs }), isToolError('config-bad', why));
  });

// The text of a JSON config is edited.

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
