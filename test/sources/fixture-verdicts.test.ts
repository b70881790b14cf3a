import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { classify } from '../../src/core/classify/classify.ts';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import type { Recipe, Source } from '../../src/model/recipe.ts';
import type { FoundRuntime, Guest } from '../../src/model/runtime.ts';
import { processDriver } from '../../src/runtimes/process/driver.ts';
import { loadSources } from '../../src/sources/load.ts';
import { runtime } from '../support/runtimes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const TIMEOUT_MS = 30_000;
/** Column of the table in fixtures/README.md -> runtime that it is checked with. */
const COLUMNS = { 3: 'node', 4: 'bun@1.4.5', 5: 'deno@2.9.6' } as const;

async function tableRows(): Promise<string[][]> {
  const text = await readFile(join(root, 'fixtures/README.md'), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')));
}

async function recipeOf(source: Source | undefined, name: string | undefined, guest: Guest): Promise<Recipe> {
  assert.ok(source && source.kind !== 'failed');
  if (source.kind === 'ready') return source.recipe;
  const exports = name === undefined ? null : [name];
  const { payloads } = await guest.ask(
    { type: 'open', recipe: source.recipe, exports },
    { deadlineMs: TIMEOUT_MS },
  );
  const [first] = payloads;
  assert.ok(first);
  return first;
}

async function verdictOf(recipe: Recipe, found: FoundRuntime, guest: Guest): Promise<string> {
  const ask = { type: 'describe', recipe, channel: 'worker', confirm: true } as const;
  const { shape } = await guest.ask(ask, { deadlineMs: TIMEOUT_MS });
  const where = { runtime: found, channel: 'worker' } as const;
  const { verdict } = classify(shape, ENGINES[found.engine], STANDARD, where);
  return `${verdict.path}, ${verdict.class}`;
}

/** "int32-array or double-array, bulk": what was seen counts when it is one of them. */
function expectedOf(cell: string, seen: string): string {
  const [paths = '', costs] = cell.split(', ');
  return paths.split(' or ').some((path) => `${path}, ${costs}` === seen) ? seen : cell;
}

describe('the verdicts of fixtures/README.md', () => {
  for (const [column, spec] of Object.entries(COLUMNS)) {
    test(spec, { timeout: 120_000 }, async (t) => {
      const workdir = await mkdtemp(join(tmpdir(), 'clone-prof-fixtures-'));
      t.after(() => rm(workdir, { recursive: true, force: true }));
      const found = await runtime(spec);
      const guest = await processDriver.start(found, { timeoutMs: TIMEOUT_MS, cwd: root });
      t.after(() => guest.close());
      const rows = await tableRows();
      assert.ok(rows.length > 20);
      const expected: Record<string, string | undefined> = {};
      const actual: typeof expected = {};
      for (const row of rows) {
        const payload = row[1] ?? '';
        const [file = '', name] = payload.split('#');
        const as = file.endsWith('.bin') ? 'bytes' : null;
        const stdin = async function* () {};
        const [source] = await loadSources([`fixtures/${file}`], { cwd: root, as, workdir, stdin });
        actual[payload] = await verdictOf(await recipeOf(source, name, guest), found, guest);
        expected[payload] = expectedOf(row[Number(column)] ?? '', actual[payload]);
      }
      assert.deepEqual(actual, expected);
    });
  }
});
