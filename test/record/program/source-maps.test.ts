import assert from 'node:assert/strict';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import type { Frame } from '../../../src/model/documents/recorded/recording.ts';
import { recorder } from '../../../src/record/program/recorder.ts';
import { putFiles } from '../../support/git-repository.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const outside = tempFolder('maps');
const root = join(outside, 'app');

const put = (name: string, text: string) => putFiles(root, { [name]: text });

const SOURCE = `type Job = { id: number };


export const run = (job: Job, post: (job: Job) => void): void => {
  post(job);
};`;

/** As a build with esbuild leaves it; `post(job)` is on line 2, column 3. */
function compiled(map: 'inline' | 'both' | 'external', sourcefile: string) {
  return transformSync(SOURCE, { loader: 'ts', sourcemap: map, sourcefile });
}

const at = (file: string): Frame => ({ file, line: 2, column: 3, name: 'run' });
const mapped = async (frame: Frame): Promise<Frame> => (await recorder.mapFrames(root, [frame.file]))(frame);
const ORIGINAL = { line: 5, column: 3, name: 'run' };
const external = compiled('external', '../src/run.ts');
const beside = (url: string) => `${external.code}//# sourceMappingURL=${url}\n`;

put('dist/inline.js', compiled('inline', '../src/run.ts').code);
put('dist/percent.js', beside(`data:application/json,${encodeURIComponent(external.map)}`));
put('dist/beside.js', beside('beside.js.map'));
put('dist/beside.js.map', external.map);
put('dist/a b.js', beside('a%20b.js.map'));
put('dist/a b.js.map', external.map);
put('dist/windows.js', beside('windows.js.map\r'));
put('dist/windows.js.map', `)]}'\n${external.map}`);
put('dist/bundle.js', beside('bundle.js.map'));
put('dist/bundle.js.map', external.map.replace('../src/run.ts', 'webpack://app/./src/run.ts'));
put('dist/two.js', `"//# sourceMappingURL=no.map";\n${compiled('inline', '../src/run.ts').code}`);

test('frames are mapped to the source', async () => {
  for (const file of ['inline', 'percent', 'beside', 'a b', 'windows']) {
    for (const path of [`dist/${file}.js`, join(root, `dist/${file}.js`)])
      assert.deepEqual(await mapped(at(path)), { file: 'src/run.ts', ...ORIGINAL }, path);
  }
  assert.deepEqual(await mapped(at('dist/bundle.js')), { file: 'webpack://app/./src/run.ts', ...ORIGINAL });
  assert.deepEqual(await mapped(at('dist/two.js')), { file: 'src/run.ts', ...ORIGINAL });
});

put('plain.js', 'post(1);\n');
put('gone.js', beside('gone.js.map'));
put('broken.js', beside('data:application/json;base64,AAAA'));
put('odd.js', beside('odd.js.map'));
put('odd.js.map', '{"version":3,"sources":7,"mappings":[],"sections":{}}');
put('deep.js', beside('deep.js.map'));
put(
  'deep.js.map',
  `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(20_000)}{}${'}]}'.repeat(20_000)}`,
);
put('escape.js', beside('../secret.map'));
writeFileSync(join(outside, 'secret.map'), external.map);
put('linked.js', beside('linked.js.map'));
symlinkSync(join(outside, 'secret.map'), join(root, 'linked.js.map'));
put('percent-broken.js', beside('%E0%A4%A'));
writeFileSync(join(outside, 'other.js'), compiled('inline', 'src/run.ts').code);

const UNMAPPED = [
  ...['plain.js', 'gone.js', 'broken.js', 'odd.js', 'deep.js', 'escape.js', 'linked.js', 'percent-broken.js'],
  ...['none.js', 'dist', '../other.js', 'data:', 'node:internal', 'evalmachine.<anonymous>', ''],
];

test('no map, or none that may be read: a file in the folder is named relative to it, others by their full path', async () => {
  for (const file of UNMAPPED) assert.deepEqual(await mapped(at(file)), at(file), file);
  assert.equal((await mapped(at(join(root, 'plain.js')))).file, 'plain.js');
  assert.equal((await mapped(at(join(outside, 'other.js')))).file, join(outside, 'other.js'));
});

test('lines of a page are mapped to the source while its server is running', async () => {
  const inline = compiled('inline', 'run.ts').code;
  const files: Record<string, string> = {
    '/src/run.ts': inline,
    '/out/linked.js': beside('maps/linked.js.map'),
    '/out/maps/linked.js.map': external.map.replace('../src/run.ts', '../../src/run.ts'),
    '/document': `<script>${inline}</script>`,
    '/plain.js': 'post(1);',
  };
  const server = createServer(({ url = '' }, response) => {
    response.statusCode = url in files ? 200 : 404;
    response.end(files[url]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const page = `http://127.0.0.1:${port}/app/?user=1`;
  const asked = [
    ...['src/run.ts', 'out/linked.js', 'document', 'plain.js', 'gone.js'],
    ...['http://127.0.0.2/src/run.ts', 'data:', ''],
  ];
  const map = await recorder.mapFrames(page, asked);
  const original = { file: 'src/run.ts', ...ORIGINAL };
  const actual = asked.map((file) => map(at(file)));
  assert.deepEqual(actual, [original, original, ...asked.slice(2).map(at)]);
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  const none = await recorder.mapFrames(page, asked);
  assert.deepEqual(
    asked.map((file) => none(at(file))),
    asked.map(at),
  );
});

test('lines of a page from disk', async () => {
  const [page, file] = [pathToFileURL(join(root, 'page.html')).href, join(root, 'dist/inline.js')];
  const map = await recorder.mapFrames(page, [file]);
  assert.deepEqual(map(at(file)), { file: join(root, 'src/run.ts'), ...ORIGINAL });
});
