/** Regressions that teams make without noticing: `check` names the limit and the place of each. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
import type { LimitName } from '../../src/model/gate/limits.ts';
import { realCli } from '../support/real-cli.ts';
import { missing, type RuntimeSpec, runtime } from '../support/runtimes.ts';

const folder = mkdtempSync(join(tmpdir(), 'clone-prof-regressions-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Regression {
  what: string;
  on: RuntimeSpec;
  /** The module before and after. */
  before: string;
  after: string;
  limits?: Record<string, unknown>;
  /** Listed for transfer, before and after. */
  transfer?: [string[], string[]];
  /** What must fail, and where. */
  limit: LimitName;
  path: string;
}

const BUN = 'bun@1.4.5';

const rows = (fields: string, count = 50) =>
  `export const payload = () => Array.from({ length: ${count} }, (_, i) => ({ id: i, name: 'name ' + i, ${fields} }));`;
const FLAT = rows('');

const REGRESSIONS: Regression[] = [
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
    what: 'a new buffer that is not listed',
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
];

interface Outcome {
  code: number | null;
  /** "limit path" of the limits that failed, by payload. */
  failed: Map<string, string[]>;
  printed: string;
}

async function check(): Promise<Outcome> {
  const { code, stdout, stderr } = await realCli(['check', '-f', 'json'], { cwd: folder });
  const failed = new Map<string, string[]>();
  for (const { payload, outcome, level, limit, path } of (JSON.parse(stdout) as CheckReport).results) {
    if (outcome !== 'failed' || level !== 'error') continue;
    failed.set(payload, [...(failed.get(payload) ?? []), `${limit} ${path}`]);
  }
  return { code, failed, printed: stdout + stderr };
}

/** On each runtime one that stays as it is. */
const KEPT: readonly [id: string, text: string, on: RuntimeSpec][] = (['node', BUN] as const)
  .filter((on) => !missing(on))
  .map((on) => [`kept-${on}`, FLAT, on]);

const idOf = (regression: Regression) => `payload-${REGRESSIONS.indexOf(regression)}`;

/** All payloads in one project, before or after. */
function writeProject(regressions: readonly Regression[], state: 'before' | 'after'): void {
  const payloads = regressions.map((regression) => {
    const id = idOf(regression);
    const { on, limits = {}, transfer = [[], []] } = regression;
    writeFileSync(join(folder, `${id}.mjs`), regression[state]);
    const listed = transfer[state === 'before' ? 0 : 1];
    const runtimes = [runtime(on).binary];
    return { id, input: `${id}.mjs`, export: 'payload', runtimes, transfer: listed, limits };
  });
  const kept = KEPT.map(([id, text, on]) => {
    writeFileSync(join(folder, `${id}.mjs`), text);
    return { id, input: `${id}.mjs`, export: 'payload', runtimes: [runtime(on).binary] };
  });
  writeFileSync(join(folder, 'clone-prof.config.json'), JSON.stringify({ payloads: [...payloads, ...kept] }));
}

const here = REGRESSIONS.filter(({ on }) => !missing(on));
let broken: Outcome;

before(async () => {
  writeProject(here, 'before');
  const baseline = await realCli(['baseline'], { cwd: folder });
  assert.equal(baseline.code, 0, baseline.stderr);
  writeProject(here, 'after');
  broken = await check();
  assert.equal(broken.code, 1, broken.printed);
});

test('what did not change breaks nothing', () => {
  assert.deepEqual([...broken.failed.keys()].sort(), here.map(idOf).sort(), broken.printed);
  assert.ok(KEPT.length > 0);
});

for (const regression of REGRESSIONS) {
  const { what, on, limit, path } = regression;
  test(`${what}, on ${on}: ${limit} at ${path}`, { skip: missing(on) }, () => {
    const failed = broken.failed.get(idOf(regression)) ?? [];
    assert.ok(failed.includes(`${limit} ${path}`), broken.printed);
  });
}
