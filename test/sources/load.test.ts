import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { cutName } from '../../src/model/cut.ts';
import { ToolError } from '../../src/model/errors.ts';
import { chunks, line, project } from '../support/temp-project.ts';

const FILES = {
  'orders.json': '{"a":1}',
  'UPPER.JSON': '[1]',
  'chat.ndjson': '{"a":1}\n{"a":2}\n',
  'log.jsonl': '1\n',
  'note.txt': 'hello',
  'm.mjs': 'export const a = 1',
  'c.cjs': 'exports.a = 1',
  'tile.bin': '\0\u0001',
  'run.cprof': '{}',
  'none.json': '',
  'data[1].json': '[]',
  'sub/orders.json': '{}',
  'sub/deep/x.json': '1',
  'node_modules/pkg/package.json': '{}',
};

const ROWS: { name: string; inputs: string[]; as?: 'text' | 'bytes' | 'json'; expected: string[] }[] = [
  { name: 'json', inputs: ['orders.json'], expected: ['ready orders json orders.json'] },
  { name: 'an ending in capitals', inputs: ['UPPER.JSON'], expected: ['ready UPPER json UPPER.JSON'] },
  { name: 'ndjson', inputs: ['chat.ndjson'], expected: ['open chat ndjson chat.ndjson'] },
  { name: 'jsonl', inputs: ['log.jsonl'], expected: ['open log ndjson log.jsonl'] },
  { name: 'txt', inputs: ['note.txt'], expected: ['ready note text note.txt'] },
  {
    name: 'modules',
    inputs: ['m.mjs', 'c.cjs'],
    expected: ['open m module m.mjs', 'open c module c.cjs'],
  },
  { name: 'unknown ending', inputs: ['tile.bin'], expected: ['failed tile unknown-input'] },
  { name: 'what is no recording', inputs: ['run.cprof'], expected: ['failed run document-bad'] },
  { name: 'as bytes', inputs: ['tile.bin'], as: 'bytes', expected: ['ready tile bytes tile.bin'] },
  { name: 'as text', inputs: ['orders.json'], as: 'text', expected: ['ready orders text orders.json'] },
  { name: 'as json', inputs: ['run.cprof'], as: 'json', expected: ['ready run json run.cprof'] },
  { name: 'missing', inputs: ['no.json'], expected: ['failed no file-missing'] },
  {
    name: 'below a file',
    inputs: ['orders.json/x.json'],
    expected: ['failed x file-missing'],
  },
  { name: 'empty', inputs: ['none.json'], expected: ['failed none file-empty'] },
  { name: 'folder', inputs: ['sub/'], expected: ['failed sub not-a-file'] },
  {
    name: 'name too long',
    inputs: ['x'.repeat(300)],
    expected: [`failed ${cutName('x'.repeat(300))} file-unreadable`],
  },
  { name: 'no ordinary file', inputs: ['/dev/null'], expected: ['failed null file-unreadable'] },
  {
    name: 'one bad input loses no other',
    inputs: ['no.json', 'none.json', 'tile.bin', 'orders.json'],
    expected: [
      'failed no file-missing',
      'failed none file-empty',
      'failed tile unknown-input',
      'ready orders json orders.json',
    ],
  },
  {
    name: 'a glob is sorted',
    inputs: ['*.{txt,mjs,cjs}'],
    expected: ['open c.cjs module c.cjs', 'open m.mjs module m.mjs', 'ready note.txt text note.txt'],
  },
  {
    name: 'a glob names files the same with one match as with two',
    inputs: ['*/orders.json'],
    expected: ['ready sub/orders json sub/orders.json'],
  },
  {
    name: 'folders that the glob names are not in the name',
    inputs: ['./sub/**/*.json'],
    expected: ['ready deep/x json sub/deep/x.json', 'ready orders json sub/orders.json'],
  },
  {
    name: 'a file that is named beside a glob keeps its name unless they are equal',
    inputs: ['orders.json', 'sub/*.json', 'sub/deep/*.json'],
    expected: [
      'ready orders.json json orders.json',
      'ready sub/orders.json json sub/orders.json',
      'ready x json sub/deep/x.json',
    ],
  },
  {
    name: 'a deep glob leaves node_modules alone, and names files by their path below it',
    inputs: ['**/{orders,x}.json'],
    expected: [
      'ready orders json orders.json',
      'ready sub/deep/x json sub/deep/x.json',
      'ready sub/orders json sub/orders.json',
    ],
  },
  {
    name: 'a glob into node_modules',
    inputs: ['node_modules/*/*.json'],
    expected: ['ready pkg/package json node_modules/pkg/package.json'],
  },
  { name: 'a glob that matches nothing', inputs: ['*.nope'], expected: ['failed * file-missing'] },
  { name: 'a folder is not a glob', inputs: ['s*'], expected: ['failed s* file-missing'] },
  {
    name: 'a file whose name looks like a glob',
    inputs: ['data[1].json'],
    expected: ['ready data[1] json data[1].json'],
  },
  {
    name: 'each file once',
    inputs: ['orders.json', './orders.json', 'o*.json', 'sub/../orders.json'],
    expected: ['ready orders json orders.json'],
  },
  {
    name: 'parts of files, by their files and by their ids',
    inputs: ['m.mjs#a', './m#b', 'chat.ndjson#x#y', 'm#a'],
    expected: [
      'open m module m.mjs, of it a',
      'open m module m.mjs, of it b',
      'open chat ndjson chat.ndjson, of it x#y',
    ],
  },
  { name: 'a file has its parts', inputs: ['m#a', 'm.mjs'], expected: ['open m module m.mjs'] },
  { name: 'a part of what has none', inputs: ['orders.json#a'], expected: ['failed orders file-missing'] },
  { name: 'a part of no file', inputs: ['no.mjs#a'], expected: ['failed no file-missing'] },
  {
    name: 'the order of the arguments',
    inputs: ['note.txt', 'c.cjs', 'orders.json'],
    expected: ['ready note text note.txt', 'open c module c.cjs', 'ready orders json orders.json'],
  },
];

describe('arguments become sources', () => {
  for (const { name, inputs, as, expected } of ROWS) {
    test(name, async (t) => {
      const { load } = await project(t, FILES);
      assert.deepEqual((await load(inputs, { as: as ?? null })).map(line), expected);
    });
  }
});

test('no argument at all is an error', async (t) => {
  const { load } = await project(t);
  await assert.rejects(load([]), (error) => error instanceof ToolError && error.code === 'no-input');
});

test('an absolute path inside the folder is shown relative, one outside as given', async (t) => {
  const inside = await project(t, { 'a.json': '1' });
  const outside = await project(t, { 'b.json': '1' });
  const typed = join(outside.cwd, 'b.json');
  const sources = await inside.load([join(inside.cwd, 'a.json'), typed]);
  assert.deepEqual(sources.map(line), ['ready a json a.json', `ready b json ${typed}`]);
});

test('a file that cannot be opened is an error with the reason', async (t) => {
  const { cwd, load } = await project(t);
  await symlink('loop.json', join(cwd, 'loop.json'));
  const [source] = await load(['loop.json']);
  assert.ok(source?.kind === 'failed');
  assert.equal(source.error.message, 'loop.json: cannot be read (ELOOP)');
});

test('a recipe names files by absolute path, so that a guest finds them from anywhere', async (t) => {
  const { cwd, load } = await project(t, { 'a.json': '1', 'b.mjs': 'export const b = 1' });
  const [json, module] = await load(['a.json', 'b.mjs']);
  assert.deepEqual(json, {
    kind: 'ready',
    recipe: {
      id: 'a',
      source: { file: 'a.json', export: null },
      build: { form: 'json', file: join(cwd, 'a.json') },
    },
  });
  assert.deepEqual(module?.kind === 'open' && module.recipe.build, {
    form: 'module',
    file: join(cwd, 'b.mjs'),
    original: 'b.mjs',
    export: '*',
  });
});

describe('stdin', () => {
  test('is JSON, written to a file for the guest, in its order among the files', async (t) => {
    const { load } = await project(t, { 'a.json': '1', 'b.json': '2' });
    const sources = await load(['a.json', '-', 'b.json', '-'], { stdin: () => chunks('{"x":', '"é"}') });
    assert.deepEqual(sources.map(line), [
      'ready a json a.json',
      'ready stdin json stdin',
      'ready b json b.json',
    ]);
    const [, source] = sources;
    assert.ok(source?.kind === 'ready' && source.recipe.build.form === 'json');
    assert.equal(await readFile(source.recipe.build.file, 'utf8'), '{"x":"é"}');
  });

  test('empty is an error', async (t) => {
    const { load } = await project(t, { 'a.json': '1' });
    assert.deepEqual((await load(['-', 'a.json'])).map(line), [
      'failed stdin file-empty',
      'ready a json a.json',
    ]);
  });

  test('as text', async (t) => {
    const { load } = await project(t);
    const sources = await load(['-'], { as: 'text', stdin: () => chunks('hello') });
    assert.deepEqual(sources.map(line), ['ready stdin text stdin']);
  });

  test('that breaks is an error with the reason', async (t) => {
    const { load } = await project(t);
    const broken = async function* () {
      yield 'half';
      throw new Error('the pipe broke');
    };
    const [source] = await load(['-'], { stdin: broken });
    assert.ok(source?.kind === 'failed');
    assert.match(source.error.message, /^stdin: cannot be read \(the pipe broke\)$/);
  });
});

test('a named pipe is written to a file too', async (t) => {
  const { cwd, load } = await project(t);
  const pipe = join(cwd, 'pipe.json');
  await promisify(execFile)('mkfifo', [pipe]);
  const writer = promisify(execFile)('sh', ['-c', 'echo "[1,2]" > "$0"', pipe]);
  const [source] = await load(['pipe.json']);
  await writer;
  assert.ok(source?.kind === 'ready' && source.recipe.build.form === 'json');
  assert.equal(await readFile(source.recipe.build.file, 'utf8'), '[1,2]\n');
});

test('the host does not read the file of a JSON payload', async (t) => {
  const { cwd, load } = await project(t, { 'large.json': '' });
  // Sparse, and more than Node reads into one buffer: reading it would fail.
  await truncate(join(cwd, 'large.json'), 2 ** 33);
  const sources = await load(['large.json']);
  assert.deepEqual(sources.map(line), ['ready large json large.json']);
});
