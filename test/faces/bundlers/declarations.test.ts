import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeDeclarations } from '../../../src/faces/bundlers/codecs.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder('declarations');
const file = join(folder, 'src', 'codecs.d.ts');
const sampleAt = (name: string) => join(folder, 'samples', name);
const written = () => readFileSync(file, 'utf8');

mkdirSync(join(folder, 'samples'));
mkdirSync(join(folder, 'samples', 'more'));
for (const name of ['a.json', 'b.json', 'more/b.json']) writeFileSync(sampleAt(name), '{}');

const HEAD = '// clone-prof codecs: written by the bundler plugin. One module for each sample.\n';
const block = (name: string, ...lines: string[]) => blockAs(name, name, ...lines);
const blockAs = (name: string, as: string, ...lines: string[]) =>
  `\n// sample: ../samples/${name}\ndeclare module "*/${as}?codec" {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;

test('declarations of one sample after the other', () => {
  const type = (text: string) => `export interface A {\n  ${text};\n}\n`;
  const lines = (text: string) => ['export interface A {', `  ${text};`, '}'];
  writeDeclarations(file, { sample: sampleAt('b.json'), declarations: type('b: 1') });
  assert.equal(written(), HEAD + block('b.json', ...lines('b: 1')));
  writeDeclarations(file, { sample: sampleAt('a.json'), declarations: type('a: 1') });
  assert.equal(written(), HEAD + block('a.json', ...lines('a: 1')) + block('b.json', ...lines('b: 1')));
  writeDeclarations(file, { sample: sampleAt('b.json'), declarations: type('b: 2') });
  assert.equal(written(), HEAD + block('a.json', ...lines('a: 1')) + block('b.json', ...lines('b: 2')));
  rmSync(sampleAt('a.json'));
  writeDeclarations(file, { sample: sampleAt('b.json'), declarations: type('b: 2') });
  assert.equal(written(), HEAD + block('b.json', ...lines('b: 2')));
});

test('samples with the same name are distinguished by their folders', () => {
  for (const name of ['b.json', 'more/b.json'])
    writeDeclarations(file, { sample: sampleAt(name), declarations: 'export {};\n' });
  const both = blockAs('b.json', 'samples/b.json', 'export {};') + block('more/b.json', 'export {};');
  assert.equal(written(), HEAD + both);
});

test('a file that clone-prof did not write is not overwritten', () => {
  const other = join(folder, 'own.d.ts');
  writeFileSync(other, 'export {};\n');
  const write = () => writeDeclarations(other, { sample: sampleAt('b.json'), declarations: '' });
  assert.throws(write, /own\.d\.ts: cannot be written \(it is there, and clone-prof did not write it/);
  assert.equal(readFileSync(other, 'utf8'), 'export {};\n');
});
