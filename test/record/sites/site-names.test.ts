import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Site } from '../../../src/model/documents/recorded/recording.ts';
import { placeOfSite, siteNames, sitesNamed } from '../../../src/record/sites/site-names.ts';

const at = (file: string, line = 1) => ({ file, line, column: 1, name: null });
const user = (file: string, line?: number): { site: Site; api: 'Worker.postMessage' } => ({
  site: { user: at(file, line), library: null },
  api: 'Worker.postMessage',
});
const library = (name: string, file: string) => ({
  site: { user: null, library: { name, version: '1.0.0', frame: at(file, 9) } },
  api: 'MessagePort.postMessage' as const,
});
const nowhere = { site: { user: null, library: null }, api: 'process.send' as const };

const ROWS: [what: string, sites: Parameters<typeof siteNames>[0], names: string[]][] = [
  ['file and line', [user('src/pool.js', 41)], ['pool.js:41']],
  ['lines of one file', [user('src/a.js', 1), user('src/a.js', 2)], ['a.js:1', 'a.js:2']],
  ['folders if files have one name', [user('a/pool.js'), user('b/pool.js')], ['a/pool.js:1', 'b/pool.js:1']],
  ['a path that is the end of another', [user('pool.js'), user('b/pool.js')], ['pool.js:1', 'b/pool.js:1']],
  ['shapes of one site', [user('a.js'), user('b.js'), user('a.js')], ['a.js:1', 'b.js:1', 'a.js:1#2']],
  [
    'the package where no frame is of the program',
    [
      library('piscina', 'node_modules/piscina/dist/index.js'),
      library('@a/b', 'x/node_modules/@a/b/index.js'),
    ],
    ['dist/index.js:9', 'b/index.js:9'],
  ],
  ['a library elsewhere', [library('piscina', 'vendored/index.js')], ['piscina index.js:9']],
  ['what was called', [nowhere, nowhere], ['process.send', 'process.send#2']],
  ['none', [], []],
];

for (const [what, sites, names] of ROWS) {
  test(`names: ${what}`, () => assert.deepEqual(siteNames(sites), names));
}

test('names of sites are distinct, even for odd file names', () => {
  const odd = ['', '/', '//', 'a:1', 'a:1#2', 'a', 'x/a', 'x//a', '#2'];
  const files = [...odd, 'a/'.repeat(50), `b/${'a/'.repeat(50)}`];
  const names = siteNames([...files, ...files].map((file) => user(file)));
  assert.equal(new Set(names).size, names.length, names.join(' | '));
});

test('ten thousand files of one name are named at once', () => {
  const names = siteNames(Array.from({ length: 10_000 }, (_, i) => user(`${'d/'.repeat(40)}${i}/index.js`)));
  assert.equal(new Set(names).size, 10_000);
  assert.equal(names[7], '7/index.js:1');
});

test('--site means a name in the report, else file and line, library, or the called function', () => {
  const pooled = library('piscina', 'node_modules/piscina/dist/index.js');
  const all = [user('src/pool.js', 4), user('src/pool.js', 4), user('src/pool.js', 41), pooled, nowhere];
  const rows: [text: string, found: number[]][] = [
    ['pool.js:4', [0]],
    ['pool.js:4#2', [1]],
    ['pool.js:41', [2]],
    ['pool.js:', [0, 1, 2]],
    ['piscina', [3]],
    ['process.send', [4]],
    ['pool.js:42', []],
  ];
  for (const [text, found] of rows) assert.deepEqual(sitesNamed(all, text), found, text);
  assert.equal(placeOfSite(pooled), 'piscina/dist/index.js:9');
});
