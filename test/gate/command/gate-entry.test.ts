import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNames, type GateSite, gateEntry } from '../../../src/gate/command/baseline.ts';
import type { PayloadConfig } from '../../../src/model/documents/config.ts';

test('files are named after their sites, each another, on any file system', () => {
  const rows: [string, string][] = [
    ['pool.js:41', 'pool.js-41'],
    ['src/pool.js:41#2', 'src-pool.js-41-2'],
    ['SRC/pool.js:41#2', 'SRC-pool.js-41-2-2'],
    ['../../etc/passwd:1', 'etc-passwd-1'],
    ['\u4e2d\u6587', 'site'],
    ['', 'site-2'],
    ['C:\\a\\b.js:1', 'C-a-b.js-1'],
    [`${'x'.repeat(300)}.js:7`, `${'x'.repeat(75)}.js-7`],
  ];
  const actual = fileNames(rows.map(([site]) => site));
  assert.deepEqual(
    actual,
    rows.map(([, name]) => name),
  );
});

const site: GateSite = { id: 'a', input: 'a.mjs', via: null, channel: 'worker', runtime: 'node' };
const usual: Parameters<typeof gateEntry>[1] = { runtimes: ['node@24', 'bun'], channels: ['worker'] };
const limits = { class: 'baseline', maxBytes: '+10%' } as const;
const plain: PayloadConfig = { id: 'a', input: 'a.mjs', export: 'default', limits };

test('an entry says what is not that of the whole config', () => {
  const rows: [Partial<GateSite>, Partial<PayloadConfig>][] = [
    [{}, {}],
    [{ runtime: null }, {}],
    [{ runtime: 'bun' }, {}],
    [{ runtime: 'deno' }, { runtimes: ['deno'] }],
    [{ channel: 'message-port' }, { channels: ['message-port'] }],
    [{ via: 'piscina' }, { via: 'piscina' }],
  ];
  for (const [given, said] of rows)
    assert.deepEqual(gateEntry({ ...site, ...given }, usual), { ...plain, ...said });
});
