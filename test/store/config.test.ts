import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ToolError } from '../../src/model/errors.ts';
import type { CheckConfig } from '../../src/model/gate/limits.ts';
import { bundleModule } from '../../src/sources/bundle.ts';
import { readConfig } from '../../src/store/config/config.ts';
import { jsonSchema } from '../../src/store/documents.ts';

async function read(files: Record<string, string>, file: string | null = null): Promise<CheckConfig> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clone-prof-config-')));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const compile = (path: string) => bundleModule(path, join(folder, 'compiled'), folder);
    return await readConfig(folder, { file, root: folder, compile, onRun: () => {}, waiting: {} });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const readJson = (config: unknown) => read({ 'clone-prof.config.json': JSON.stringify(config) });
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(
  jsonSchema('config.schema.json'),
);

const GOOD: { what: string; limits: Record<string, unknown>; means: Record<string, unknown> }[] = [
  { what: 'a class', limits: { class: 'in-memory' }, means: { class: ['error', 'in-memory'] } },
  {
    what: 'a class that only warns',
    limits: { class: ['warn', 'bulk'] },
    means: { class: ['warn', 'bulk'] },
  },
  {
    what: 'no worse than it was',
    limits: { class: 'baseline' },
    means: { class: ['error', true, 'baseline'] },
  },
  { what: 'kilobytes', limits: { maxBytes: '64 kB' }, means: { maxBytes: ['error', 64_000] } },
  {
    what: 'kibibytes without a space',
    limits: { maxBytes: '64KiB' },
    means: { maxBytes: ['error', 65_536] },
  },
  { what: 'a part of a megabyte', limits: { maxBytes: '1.5 MB' }, means: { maxBytes: ['error', 1_500_000] } },
  { what: 'growth', limits: { maxBytes: '+10 %' }, means: { maxBytes: ['error', 0.1, 'baseline'] } },
  { what: 'a number of nodes', limits: { maxNodes: 1000 }, means: { maxNodes: ['error', 1000] } },
  { what: 'no more nodes', limits: { maxNodes: '+0%' }, means: { maxNodes: ['error', 0, 'baseline'] } },
  {
    what: 'levels',
    limits: { lossy: 'error', rejected: 'off' },
    means: { lossy: ['error', true], rejected: ['off', true] },
  },
  { what: 'all buffers', limits: { transfer: 'all' }, means: { transfer: ['error', true] } },
  { what: 'time', limits: { time: ['warn', '+10%'] }, means: { time: ['warn', 0.1, 'baseline'] } },
  {
    what: 'none of it',
    limits: { time: 'off', class: 'off' },
    means: { time: ['off', true], class: ['off', true] },
  },
  { what: 'amplification', limits: { maxAmplification: 1.5 }, means: { maxAmplification: ['error', 1.5] } },
];

for (const { what, limits, means } of GOOD) {
  test(`limits: ${what}`, async () => {
    const config = { payloads: [{ input: 'a.json', limits }] };
    const [entry] = (await readJson(config)).entries;
    for (const [name, [level, value, against]] of Object.entries(means as Record<string, unknown[]>)) {
      const limit = entry?.limits[name as 'class'];
      assert.deepEqual([limit?.level, limit?.value, limit?.against], [level, value, against]);
      assert.equal(limit?.preset, undefined);
    }
    assert.equal(validate(config), true, JSON.stringify(validate.errors));
  });
}

const BAD: { what: string; config: unknown; message: RegExp }[] = [
  {
    what: 'a size without its unit',
    config: { payloads: [{ input: 'a.json', limits: { maxBytes: 64 } }] },
    message: /payloads\[0\]\.limits\.maxBytes: expected a size with its unit .*"64 kB".*; got 64$/,
  },
  {
    what: 'an unknown unit',
    config: { limits: { maxBytes: '64 KB' } },
    message: /limits\.maxBytes: expected a size .*; got "64 KB"$/,
  },
  {
    what: 'a limit by another name',
    config: { payloads: [{ input: 'a.json', limits: { maxByte: '1 kB' } }] },
    message: /payloads\[0\]\.limits: unknown key "maxByte"\. Known: class, maxBytes/,
  },
  {
    what: 'a class by another name',
    config: { limits: { class: 'fast' } },
    message: /limits\.class: .*in-memory/,
  },
  {
    what: 'a level by another name',
    config: { limits: { class: ['fatal', 'bulk'] } },
    message: /limits\.class: expected .*\["warn", "in-memory"\].*; got \["fatal","bulk"\]$/,
  },
  {
    what: 'time without a sign',
    config: { limits: { time: '10%' } },
    message: /limits\.time: expected a growth .*"\+10%".*; got "10%"$/,
  },
  {
    what: 'time within the noise',
    config: { limits: { time: '+2%' } },
    message: /limits\.time: expected a growth of at least 5 % .*; got "\+2%"$/,
  },
  { what: 'a negative size', config: { limits: { maxBytes: '-1 kB' } }, message: /limits\.maxBytes/ },
  { what: 'amplification below 1', config: { limits: { maxAmplification: 0.5 } }, message: /from 1 on/ },
  {
    what: 'no input',
    config: { payloads: [{ id: 'a' }] },
    message: /payloads\[0\]\.input: expected a file.*; got nothing$/,
  },
  { what: 'a number as payload', config: { payloads: [7] }, message: /payloads\[0\]: expected/ },
  { what: 'payloads that are not a list', config: { payloads: {} }, message: /payloads: expected a list/ },
  {
    what: 'an unknown preset',
    config: { extends: 'lax' },
    message: /extends: expected "recommended" or "strict"; got "lax"$/,
  },
  {
    what: 'an unknown channel',
    config: { channels: ['pigeon'] },
    message: /channels\[0\]: expected one of worker/,
  },
  {
    what: 'an unknown sender',
    config: { sender: 'page' },
    message: /sender: expected "main" or "worker"; got "page"$/,
  },
  { what: 'no runtime', config: { runtimes: [] }, message: /runtimes: expected at least one runtime/ },
  { what: 'a key of another tool', config: { rules: {} }, message: /unknown key "rules"\. Known: extends/ },
  { what: 'a text instead of an object', config: 'strict', message: /expected an object/ },
  {
    what: 'a rewrite that is no file and no name',
    config: { remedies: [{ name: 'mine' }] },
    message: /remedies\[0\]: expected a module with apply and restore, or a serializer/,
  },
];

for (const { what, config, message } of BAD) {
  test(`bad config: ${what}`, async () => {
    await assert.rejects(readJson(config), (error) => {
      assert.ok(error instanceof ToolError);
      assert.equal(error.code, 'config-bad');
      assert.match(error.message, /^clone-prof\.config\.json: /);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /Invalid input|undefined/);
      return true;
    });
    assert.equal(validate(config), what === 'time within the noise');
  });
}

const PLACES: { name: string; text: string }[] = [
  { name: 'clone-prof.config.json', text: '\ufeff{"extends":"strict","payloads":["a.json"]}' },
  { name: 'clone-prof.config.mjs', text: 'export default { extends: "strict", payloads: ["a.json"] }' },
  { name: 'clone-prof.config.js', text: 'module.exports = { extends: "strict", payloads: ["a.json"] }' },
  {
    name: 'clone-prof.config.ts',
    text: 'interface C { extends: string; payloads: string[] }\nexport default { extends: "strict", payloads: ["a.json"] } satisfies C;',
  },
  { name: 'package.json', text: '{"name":"x","clone-prof":{"extends":"strict","payloads":["a.json"]}}' },
];

for (const { name, text } of PLACES) {
  test(`a config in ${name}`, async () => {
    const { file, entries } = await read({ [name]: text });
    assert.equal(file, name);
    assert.equal(entries[0]?.input, 'a.json');
    assert.deepEqual(entries[0]?.limits.maxAmplification, {
      level: 'error',
      value: 1.1,
      text: '1.1',
      preset: true,
    });
  });
}

test('without a config the recommended limits hold, and there are no payloads', async () => {
  const config = await read({ 'package.json': '{"name":"x"}' });
  assert.equal(config.file, null);
  assert.deepEqual(config.entries, []);
  assert.equal(config.common.limits.rejected?.level, 'error');
  assert.deepEqual(config.common.runtimes, ['node']);
});

test('limits of a payload override those for all, which override the preset', async () => {
  const { entries } = await readJson({
    limits: { lossy: 'error', class: 'bulk' },
    payloads: [{ input: 'a.json', limits: { class: 'off' } }, 'b.json'],
  });
  const [a, b] = entries.map(({ limits }) => [
    limits.class?.level,
    limits.class?.value,
    limits.lossy?.level,
    limits.rejected?.level,
  ]);
  assert.deepEqual(a, ['off', true, 'error', 'error']);
  assert.deepEqual(b, ['error', 'bulk', 'error', 'error']);
});

test('a config that cannot be read is an error', async () => {
  await assert.rejects(read({ 'clone-prof.config.json': '{"extends":' }), /cannot be loaded/);
  await assert.rejects(
    read({ 'clone-prof.config.mjs': 'throw new Error("boom")' }),
    /cannot be loaded: boom/,
  );
  await assert.rejects(read({}, 'absent.json'), /absent\.json: no such file/);
});
