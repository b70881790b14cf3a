import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type SourceOptions, spool } from '../../../src/app/sources/load.ts';
import { cutName } from '../../../src/model/cut.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { chunks, line, project } from '../../support/temp-project.ts';
import { isToolError } from '../../support/tool-errors.ts';

const FILES = {
  'orders.json': '{"a":1}',
  'UPPER.JSON': '[1]',
  'area.geojson': '{}',
  'chat.ndjson': '{"a":1}\n{"a":2}\n',
  'log.jsonl': '1\n',
  'note.txt': 'hello',
  'm.mjs': 'export const a = 1',
  'c.cjs': 'exports.a = 1',
  'tile.bin': '\0\u0001',
  'run.cprof': '{}',
  'none.json': '',
  'data[1].json': '[]',
  'v.2.json': '2',
  'sub/orders.json': '{}',
  'sub/orders.json.txt': 'of that',
  'sub/deep/x.json': '1',
  'node_modules/pkg/package.json': '{}',
};

const ROWS: [name: string, typed: string, sources: string][] = [
  [
    'files by their endings',
    'orders.json UPPER.JSON area.geojson chat.ndjson log.jsonl note.txt m.mjs c.cjs',
    'ready orders json orders.json; ready UPPER json UPPER.JSON; ready area json area.geojson; open chat ndjson chat.ndjson; open log ndjson log.jsonl; ready note text note.txt; open m module m.mjs; open c module c.cjs',
  ],
  [
    'a name that no other has: the stem, the path without the ending, the path',
    'orders.json v.2.json sub/orders.json sub/orders.json.txt',
    'ready orders.json json orders.json; ready v.2 json v.2.json; ready sub/orders json sub/orders.json; ready sub/orders.json.txt text sub/orders.json.txt',
  ],
  ['as text', 'orders.json --as text', 'ready orders text orders.json'],
  ['as json', 'run.cprof --as json', 'ready run json run.cprof'],
  [
    'one bad input loses no other',
    'no.json orders.json/x.json none.json sub/ tile.bin run.cprof orders.json',
    'failed no file-missing; failed x file-missing; failed none file-empty; failed sub not-a-file; failed tile unknown-input; failed run document-bad; ready orders json orders.json',
  ],
  ['name too long', 'x'.repeat(300), `failed ${cutName('x'.repeat(300))} file-unreadable`],
  ['no ordinary file', '/dev/null', 'failed null file-unreadable'],
  [
    'a glob is sorted',
    '*.{txt,mjs,cjs}',
    'open c.cjs module c.cjs; open m.mjs module m.mjs; ready note.txt text note.txt',
  ],
  [
    'folders that the glob names are not in the name',
    './sub/**/*.json',
    'ready deep/x json sub/deep/x.json; ready orders json sub/orders.json',
  ],
  [
    'a deep glob leaves node_modules alone, and names files by their path below it',
    '**/{orders,x}.json',
    'ready orders json orders.json; ready sub/deep/x json sub/deep/x.json; ready sub/orders json sub/orders.json',
  ],
  [
    'a glob into node_modules',
    'node_modules/*/*.json',
    'ready pkg/package json node_modules/pkg/package.json',
  ],
  ['a glob that matches nothing', '*.nope', 'failed * file-missing'],
  ['a folder is not a glob', 's*', 'failed s* file-missing'],
  ['a file whose name looks like a glob', 'data[1].json', 'ready data[1] json data[1].json'],
  ['each file once', 'orders.json ./orders.json o*.json sub/../orders.json', 'ready orders json orders.json'],
  [
    'parts of files, by their files and by their ids',
    'm.mjs#a ./m#b chat.ndjson#x#y m#a',
    'open m module m.mjs, of it a; open m module m.mjs, of it b; open chat ndjson chat.ndjson, of it x#y',
  ],
  ['a file has its parts', 'm#a m.mjs', 'open m module m.mjs'],
  ['a part of what has none', 'orders.json#a', 'failed orders file-missing'],
];

describe('arguments become sources', () => {
  for (const [name, typed, expected] of ROWS) {
    test(name, async () => {
      const { load } = project(FILES);
      const [inputs = '', as = null] = typed.split(' --as ');
      const sources = await load(inputs.split(' '), { as: as as SourceOptions['as'] });
      assert.equal(sources.map(line).join('; '), expected);
    });
  }
});

test('no argument at all is an error', async () => {
  const { load } = project();
  await assert.rejects(load([]), isToolError('no-input'));
});

test('an absolute path inside the folder is shown relative, one outside as given', async () => {
  const inside = project({ 'a.json': '1' });
  const outside = project({ 'b.json': '1' });
  const typed = join(outside.cwd, 'b.json');
  const sources = await inside.load([join(inside.cwd, 'a.json'), typed]);
  assert.deepEqual(sources.map(line), ['ready a json a.json', `ready b json ${typed}`]);
});

test('a file that cannot be opened is an error with the reason', async () => {
  const { cwd, load } = project();
  await symlink('loop.json', join(cwd, 'loop.json'));
  const [source] = await load(['loop.json']);
  assert.ok(source?.kind === 'failed');
  assert.equal(source.error.message, 'loop.json: cannot be read (ELOOP)');
});

test('a recipe names files by absolute path, so that a guest finds them from anywhere', async () => {
  const { cwd, load } = project({ 'a.json': '1', 'b.mjs': 'export const b = 1' });
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
  test('is JSON, written to a file for the guest, in its order among the files', async () => {
    const { load } = project({ 'a.json': '1', 'b.json': '2' });
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

  test('of which nothing comes is left when the run is interrupted', async () => {
    const [silent, interruption] = [new PassThrough(), new AbortController()];
    const spooled = spool(silent, join(tempFolder('spool'), 'in'), 'stdin', interruption.signal);
    interruption.abort();
    await assert.rejects(spooled, isToolError('interrupted'));
    assert.ok(silent.destroyed);
  });

  test('that breaks is an error with the reason', async () => {
    const { load } = project();
    const broken = async function* () {
      yield 'half';
      throw new Error('the pipe broke');
    };
    const [source] = await load(['-'], { stdin: broken });
    assert.ok(source?.kind === 'failed');
    assert.match(source.error.message, /^stdin: cannot be read \(the pipe broke\)$/);
  });
});

test('a named pipe is written to a file too', async () => {
  const { cwd, load } = project();
  const pipe = join(cwd, 'pipe.json');
  await promisify(execFile)('mkfifo', [pipe]);
  const writer = promisify(execFile)('sh', ['-c', 'echo "[1,2]" > "$0"', pipe]);
  const [source] = await load(['pipe.json']);
  await writer;
  assert.ok(source?.kind === 'ready' && source.recipe.build.form === 'json');
  assert.equal(await readFile(source.recipe.build.file, 'utf8'), '[1,2]\n');
});

test('the host does not read the file of a JSON payload', async () => {
  const { cwd, load } = project({ 'large.json': '' });
  // Sparse, and more than Node reads into one buffer: reading it would fail.
  await truncate(join(cwd, 'large.json'), 2 ** 33);
  const sources = await load(['large.json']);
  assert.deepEqual(sources.map(line), ['ready large json large.json']);
});
