import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serialize } from 'node:v8';

const folder = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const { FILES } = (await import(new URL('../../fixtures/generate/files.mjs', import.meta.url).href)) as {
  FILES: Record<string, () => string | Uint8Array>;
};

const MODULES = (await readdir(folder)).filter((name) => /\.(mjs|ts)$/.test(name));

async function factoriesOf(file: string): Promise<[string, () => unknown][]> {
  const url = new URL(`../../fixtures/${file}`, import.meta.url).href;
  return Object.entries((await import(url)) as Record<string, () => unknown>);
}

describe('the data files are what their generator makes', () => {
  for (const [name, contents] of Object.entries(FILES)) {
    test(name, async () => {
      const made = contents();
      const bytes = typeof made === 'string' ? Buffer.from(made) : Buffer.from(made.buffer);
      assert.ok(bytes.equals(await readFile(`${folder}${name}`)), 'run: node fixtures/generate/write.mjs');
    });
  }
});

describe('a factory makes a fresh and equal value each time', () => {
  for (const file of MODULES) {
    test(file, async () => {
      for (const [name, factory] of await factoriesOf(file)) {
        const [first, second] = [factory(), factory()];
        if (typeof first === 'object') assert.notEqual(first, second, name);
        assert.deepEqual(first, second, name);
      }
    });
  }

  test('all can be posted but the one that is there to fail', async () => {
    const refused: string[] = [];
    for (const file of MODULES) {
      for (const [name, factory] of await factoriesOf(file)) {
        try {
          serialize(factory());
        } catch {
          refused.push(`${file}#${name}`);
        }
      }
    }
    assert.deepEqual(refused, ['job.mjs#job']);
  });
});

test('each has its row in the README, and there are enough of them', async () => {
  const table = await readFile(`${folder}README.md`, 'utf8');
  const named = [...table.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, name]) => name);
  const payloads = Object.keys(FILES);
  for (const file of MODULES) {
    for (const [name] of await factoriesOf(file)) payloads.push(`${file}#${name}`);
  }
  assert.deepEqual(named.toSorted(), payloads.toSorted());
  assert.ok(payloads.length >= 12);
});

test('the payloads stay small', async () => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile() && !file.parentPath.includes('reports'))
      .map(async (file) => (await stat(`${file.parentPath}/${file.name}`)).size),
  );
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 1_500_000);
});
