/** Each of the regressions that teams make without noticing, planted in a payload: the gate must name its place. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { CheckReport, LimitName } from '../../src/model/check.ts';
import { runtime } from '../support/runtimes.ts';

const bin = fileURLToPath(new URL('../../bin/clone-prof.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'clone-prof-planted-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Planted {
  what: string;
  on: string;
  /** The module before and after. */
  before: string;
  after: string;
  limits?: Record<string, unknown>;
  transfer?: [string[], string[]];
  /** What must fail, and where. */
  limit: LimitName;
  path: string;
}

const BUN = 'bun@1.4.5';

const rows = (fields: string, count = 50) =>
  `export const payload = () => Array.from({ length: ${count} }, (_, i) => ({ id: i, name: 'name ' + i, ${fields} }));`;
const FLAT = rows('');

const PLANTED: Planted[] = [
  {
    what: 'a nested field in a flat row',
    on: BUN,
    before: FLAT,
    after: rows('geo: { lat: i, lon: i }'),
    limit: 'class',
    path: '$[*].geo',
  },
  {
    what: 'a hole',
    on: BUN,
    before: 'export const payload = [1, 2, 3];',
    after: 'export const payload = [1, , 3];',
    limit: 'class',
    path: '$',
  },
  {
    what: 'a hole',
    on: 'node',
    before: 'export const payload = [1, 2, 3];',
    after: 'export const payload = [1, , 3];',
    limit: 'class',
    path: '$',
  },
  {
    what: 'a delete',
    on: BUN,
    before: 'export const payload = () => ({ a: 1, b: 2, c: 3 });',
    after: 'export const payload = () => { const o = { a: 1, b: 2, c: 3 }; delete o.a; return o; };',
    limit: 'class',
    path: '$',
  },
  {
    what: 'a delete',
    on: 'node',
    before: 'export const payload = () => ({ a: 1, b: 2, c: 3 });',
    after: 'export const payload = () => { const o = { a: 1, b: 2, c: 3 }; delete o.a; return o; };',
    limit: 'class',
    path: '$',
  },
  {
    what: 'a wrapper',
    on: BUN,
    before: FLAT,
    after: `${FLAT.replace('payload', 'inner').replace('export ', '')}\nexport const payload = () => ({ task: 1, data: inner() });`,
    limit: 'class',
    path: '$.data',
  },
  {
    what: 'a dropped transfer',
    on: 'node',
    before: 'export const payload = () => ({ pixels: new Uint8Array(4096), mask: new Uint8Array(64) });',
    after: 'export const payload = () => ({ pixels: new Uint8Array(4096), mask: new Uint8Array(64) });',
    limits: { transfer: 'all' },
    transfer: [['$.pixels', '$.mask'], ['$.mask']],
    limit: 'transfer',
    path: '$.pixels',
  },
  {
    what: 'a new buffer that nobody lists',
    on: BUN,
    before: 'export const payload = () => ({ pixels: new Uint8Array(4096) });',
    after: 'export const payload = () => ({ pixels: new Uint8Array(4096), mask: new Uint8Array(64) });',
    limits: { transfer: 'all' },
    transfer: [['$.pixels'], ['$.pixels']],
    limit: 'transfer',
    path: '$.mask',
  },
  {
    what: '30 % more bytes',
    on: 'node',
    before: rows("text: 'x'.repeat(100) + i, note: 'y'.repeat(200) + i"),
    after: rows("text: 'x'.repeat(240) + i, note: 'y'.repeat(200) + i"),
    limits: { maxBytes: '+10%' },
    limit: 'maxBytes',
    path: '$[*].text',
  },
  {
    what: '30 % more bytes',
    on: BUN,
    before: rows("text: 'x'.repeat(100) + i, note: 'y'.repeat(200) + i"),
    after: rows("text: 'x'.repeat(240) + i, note: 'y'.repeat(200) + i"),
    limits: { maxBytes: '+10%' },
    limit: 'maxBytes',
    path: '$[*].text',
  },
  {
    what: 'a Date in a row',
    on: BUN,
    before: FLAT,
    after: rows('at: new Date(i)'),
    limit: 'class',
    path: '$[*].at',
  },
  {
    what: 'a class with a private field',
    on: BUN,
    before: 'export const payload = () => ({ a: 1 });',
    after: 'class Point { #x = 1; a = 1; }\nexport const payload = () => new Point();',
    limit: 'class',
    path: '$',
  },
  {
    what: 'a class with a private field, by what it loses',
    on: 'node',
    before: 'export const payload = () => ({ at: { a: 1 } });',
    after: 'class Point { #x = 1; a = 1; }\nexport const payload = () => ({ at: new Point() });',
    limits: { lossy: 'error' },
    limit: 'lossy',
    path: '$.at',
  },
  {
    what: 'a string that became a slice',
    on: BUN,
    before: 'export const payload = () => JSON.stringify(Array.from({ length: 900 }, (_, i) => i));',
    after:
      'export const payload = () => JSON.stringify(Array.from({ length: 900 }, (_, i) => i)).slice(1, 3000);',
    limit: 'class',
    path: '$',
  },
  {
    what: 'twice as slow',
    on: 'node',
    before: rows("tags: ['a', 'b']", 150),
    after: rows("tags: ['a', 'b'], more: { of: [i, i, i], it: { is: 'here' } }", 150),
    limits: { class: 'off', maxBytes: 'off', time: '+20%' },
    limit: 'time',
    path: '$[*].more.of[*]',
  },
  {
    what: 'twice as slow',
    on: BUN,
    before: rows("tags: ['a', 'b']", 150),
    after: rows("tags: ['a', 'b'], more: { of: [i, i, i], it: { is: 'here' } }", 150),
    limits: { class: 'off', maxBytes: 'off', time: '+20%' },
    limit: 'time',
    path: '$[*].more',
  },
  {
    what: 'twice the memory',
    on: 'node',
    before: rows("text: 'x'.repeat(100) + i", 200),
    after: rows("text: 'x'.repeat(100) + i, more: [i, 'y'.repeat(150) + i]", 200),
    limits: { class: 'off', maxBytes: 'off', memory: '+20%' },
    limit: 'memory',
    path: '$[*].more[*]',
  },
];

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function run(cwd: string, ...args: string[]): Promise<Ran> {
  return new Promise((done) => {
    execFile(process.execPath, [bin, ...args], { cwd, timeout: 60_000 }, (error, stdout, stderr) => {
      done({ code: error ? Number(error.code ?? 99) : 0, stdout, stderr });
    });
  });
}

async function failedOf(cwd: string): Promise<{ code: number; failed: string[]; said: string }> {
  const { code, stdout, stderr } = await run(cwd, 'check', '-f', 'json', '-b', '15s');
  const { results } = JSON.parse(stdout) as CheckReport;
  const failed = results.filter(({ outcome, level }) => outcome === 'failed' && level === 'error');
  return { code, failed: failed.map(({ limit, path }) => `${limit} ${path}`), said: stdout + stderr };
}

for (const [index, planted] of PLANTED.entries()) {
  const { what, on, limits = {}, transfer = [[], []], limit, path } = planted;
  test(`${what}, on ${on}: ${limit} at ${path}`, async () => {
    const { binary } = await runtime(on);
    const cwd = join(folder, String(index));
    mkdirSync(cwd);
    const write = (text: string, listed: string[]) => {
      writeFileSync(join(cwd, 'payload.mjs'), text);
      const entry = {
        id: 'payload',
        input: 'payload.mjs',
        export: 'payload',
        runtimes: [binary],
        transfer: listed,
        limits,
      };
      writeFileSync(join(cwd, 'clone-prof.config.json'), JSON.stringify({ payloads: [entry] }));
    };
    write(planted.before, transfer[0]);
    const baseline = await run(cwd, 'baseline');
    assert.equal(baseline.code, 0, baseline.stderr);
    const kept = await failedOf(cwd);
    assert.deepEqual([kept.code, kept.failed], [0, []], kept.said);
    write(planted.after, transfer[1]);
    const broken = await failedOf(cwd);
    assert.equal(broken.code, 1, broken.said);
    assert.ok(broken.failed.includes(`${limit} ${path}`), broken.said);
  });
}
