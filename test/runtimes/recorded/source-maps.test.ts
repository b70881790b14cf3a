import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import type { Frame } from '../../../src/model/documents/recorded/call-site.ts';
import { frameMapper } from '../../../src/runtimes/recorded/recorder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const outside = tempFolder('maps');
const root = join(outside, 'app');

const put = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
};

const SOURCE = `type Job = { id: number };


export const run = (job: Job, post: (job: Job) => void): void => {
  post(job);
};`;

/** As a build with esbuild leaves it; `post(job)` is on line 2, column 3. */
function compiled(map: 'inline' | 'both' | 'external', sourcefile: string) {
  return transformSync(SOURCE, { loader: 'ts', sourcemap: map, sourcefile });
}

const at = (file: string): Frame => ({
  file,
  line: 2,
  column: 3,
  name: 'run',
});
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

test('frames are those of the source', () => {
  const mapped = frameMapper(root);
  for (const file of ['inline', 'percent', 'beside', 'a b', 'windows']) {
    assert.deepEqual(mapped(at(`dist/${file}.js`)), { file: 'src/run.ts', ...ORIGINAL }, file);
    assert.deepEqual(mapped(at(join(root, `dist/${file}.js`))), { file: 'src/run.ts', ...ORIGINAL }, file);
  }
  assert.deepEqual(mapped(at('dist/bundle.js')), { file: 'webpack://app/./src/run.ts', ...ORIGINAL });
  assert.deepEqual(mapped(at('dist/two.js')), { file: 'src/run.ts', ...ORIGINAL });
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

for (const file of UNMAPPED) {
  test(`no map, or none that may be read: ${file}`, () => {
    assert.deepEqual(frameMapper(root)(at(file)), at(file));
  });
}

test('a file in the folder is named from there, others as they are', () => {
  const mapped = frameMapper(root);
  assert.equal(mapped(at(join(root, 'plain.js'))).file, 'plain.js');
  assert.equal(mapped(at(join(outside, 'other.js'))).file, join(outside, 'other.js'));
});
