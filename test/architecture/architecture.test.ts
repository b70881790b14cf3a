import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';
import { type Files, importsOf } from './imports.ts';
import { ROOMS } from './rooms.ts';
import { RULES, roomOf } from './rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Declarations of foreign modules are no modules. */
const sources = globSync('src/**/*.ts', { cwd: root, ignore: '**/*.d.ts' }).sort();
const FILES: Files = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

const bundled = async (entryPoints: string[]) => {
  const { metafile } = await build({
    ...{ entryPoints, absWorkingDir: root, bundle: true, metafile: true, write: false, outdir: 'out' },
    ...{ format: 'esm', platform: 'node', packages: 'external', external: ['bun:*'], logLevel: 'silent' },
  });
  return metafile;
};

describe('the source tree', () => {
  for (const [rule, broken] of Object.entries(RULES)) {
    test(rule, () => assert.deepEqual(broken(FILES), []));
  }

  test('every room of the plan exists', () => {
    const rooms = new Set(sources.map(roomOf));
    assert.deepEqual(
      Object.keys(ROOMS).filter((name) => !rooms.has(name) && name !== 'guest'),
      [],
    );
  });

  test('the imports read from the text contain those that the bundler follows', async () => {
    const read = new Set(importsOf(FILES).map(({ from, to }) => `${from} -> ${to}`));
    const { inputs } = await bundled(sources);
    const followed = Object.entries(inputs).flatMap(([from, { imports }]) =>
      imports.map(({ path }) => `${from} -> ${path}`),
    );
    assert.ok(followed.length > 1000);
    assert.deepEqual(
      followed.filter((one) => !read.has(one)),
      [],
    );
  });
});

/** One fault for each rule, in a tree of its own. */
const FAULTS: [rule: RegExp, files: Record<string, string>, says: RegExp][] = [
  [
    /arrows/,
    { 'src/core/stats/a.ts': "import type { B } from '../../cli/b.ts';", 'src/cli/b.ts': '' },
    /core\/stats must not import cli/,
  ],
  [
    /arrows/,
    { 'src/core/stats/a.ts': "export {\n  b,\n} from '../gate/b.ts';", 'src/core/gate/b.ts': '' },
    /core\/stats must not import core\/gate/,
  ],
  [
    /arrows/,
    { 'src/attic/a.ts': "import '../model/b.ts';", 'src/model/b.ts': '' },
    /attic\/a.ts is in no room/,
  ],
  [
    /package/,
    { 'src/app/a.ts': "const x = await import('left-pad');" },
    /left-pad, which the plan does not list/,
  ],
  [/package/, { 'src/app/a.ts': "import { Command } from 'commander';" }, /commander, which belongs to/],
  [/package/, { 'src/core/a.ts': "import type { Stats } from 'node:fs';" }, /is pure and imports node:fs/],
  [
    /circle/,
    { 'src/app/a.ts': "import type { B } from './b.ts';", 'src/app/b.ts': "import { a } from './a.ts';" },
    /app\/a.ts <-> src\/app\/b.ts/,
  ],
  [/guest/, { 'src/guest/prove/a.ts': "import { join } from 'node:path';" }, /prove\/a.ts/],
  [/guest/, { 'src/guest/payload/a.ts': 'export const cwd = () => process.cwd();' }, /payload\/a.ts/],
  [/learns/, { 'src/probe/a.ts': 'export const b = (c: number[]) => c.map(String);' }, /probe\/a.ts/],
  [/reached/, { 'src/cli/main.ts': '', 'src/app/forgotten.ts': '' }, /forgotten/],
  [/clock/, { 'src/core/a.ts': 'export const now = () => Date.now();' }, /core\/a.ts/],
  [/clock/, { 'src/remedies/a.ts': 'export const pick = () => Math.random();' }, /remedies\/a.ts/],
  [/data/, { 'src/engines/v8/a.ts': 'export const rule = { when: () => true };' }, /v8\/a.ts/],
  [/lines/, { 'src/app/a.ts': '\n'.repeat(201) }, /app\/a.ts/],
];

describe('a planted fault is seen', () => {
  for (const [rule, files, says] of FAULTS) {
    test(`${rule}: ${says}`, () => {
      const [name, broken] = Object.entries(RULES).find(([title]) => rule.test(title)) ?? [];
      assert.match(broken?.(new Map(Object.entries(files))).join('\n') ?? '', says, name);
    });
  }

  test('a text that only mentions a clock or an import is not a fault', () => {
    const text = "// Date.now()\nexport const TITLE = 'Math.random()';\n/**\n * import './x.ts'\n */";
    const files = new Map([['src/core/a.ts', text]]);
    for (const rule of [/clock/, /arrows/]) {
      const [, broken] = Object.entries(RULES).find(([title]) => rule.test(title))!;
      assert.deepEqual(broken(files), []);
    }
  });
});

test('what the command line loads before it starts a guest is light', async () => {
  const entries = ['src/cli/program.ts', 'src/cli/actions/analyze.ts'];
  const { inputs } = await bundled(entries);
  const seen = new Set(entries);
  for (const file of seen) {
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) seen.add(path);
    }
  }
  const heavy = ['reporters', 'engines', 'remedies', 'runtimes'];
  // stderr needs it from the first line on. It imports nothing.
  seen.delete('src/reporters/escape.ts');
  assert.deepEqual(
    [...seen].filter((file) => heavy.includes(roomOf(file)?.split('/')[0] ?? '')),
    [],
  );
});
