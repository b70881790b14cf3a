import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { removeStale, withTempFolder } from '../../src/machine/temp-folders.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Calls `use` with the name of a folder of this process, in a parent of its own. */
async function inParent(use: (parent: string, mine: string) => Promise<void> | void): Promise<void> {
  const parent = tempFolder('stale');
  await withTempFolder(parent, async (folder) => use(parent, basename(folder)));
}

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

const pid = `-${process.pid}-`;
const start = /-(\d+)-[^-]+$/;

const ROWS: [name: string, folder: (mine: string, ended: number) => string, kept: boolean][] = [
  ['of this process', (mine) => mine.replace(/.{6}$/, 'abcdef'), true],
  ['of a process that ended', (mine, ended) => mine.replace(pid, `-${ended}-`), false],
  [
    'of an earlier process with the same id',
    (mine) => mine.replace(start, '-1-abcdef'),
    process.platform !== 'linux',
  ],
  [
    'of another container on this host',
    (mine, ended) => `${mine.replace(pid, `-${ended}-`).replace(/\.\d+-/, '.7-')}`,
    true,
  ],
  ['of another program', () => 'clone-prof-notes', true],
  ['of a user', () => 'my-project-12-data', true],
  ['of a user, named by a date', (mine) => mine.replace(/\d+-\d+-\w+$/, '2026-11-22'), true],
];

for (const [name, folder, kept] of ROWS) {
  test(`a folder ${name} is ${kept ? 'kept' : 'removed'}`, () =>
    inParent(async (parent, mine) => {
      const made = folder(mine, await endedPid());
      mkdirSync(join(parent, made));
      writeFileSync(join(parent, made, 'file'), '');
      await removeStale(parent, 'with-another-prefix-');
      assert.equal(readdirSync(parent).includes(made), true);
      await removeStale(parent);
      assert.equal(readdirSync(parent).includes(made), kept);
    }));
}

test('a link is kept, and what it leads to; a link inside is removed alone', () =>
  inParent(async (parent, mine) => {
    const stale = mine.replace(pid, `-${await endedPid()}-`);
    mkdirSync(join(parent, 'data'));
    writeFileSync(join(parent, 'data', 'file'), '');
    symlinkSync(join(parent, 'data'), join(parent, stale));
    mkdirSync(join(parent, `${stale.slice(0, -6)}abcdef`));
    symlinkSync(join(parent, 'data'), join(parent, `${stale.slice(0, -6)}abcdef`, 'link'));
    await removeStale(parent);
    assert.deepEqual(readdirSync(parent).sort(), ['data', mine, stale].sort());
    assert.deepEqual(readdirSync(join(parent, 'data')), ['file']);
  }));

test('folders of other hosts are removed after a day, a folder of a user is not', () =>
  inParent(async (parent, mine) => {
    mkdirSync(join(parent, `other.${mine}`));
    mkdirSync(join(parent, '2026-11-backup'));
    await removeStale(parent, '', Date.now() + DAY_MS - 60_000);
    assert.equal(readdirSync(parent).length, 3);
    await removeStale(parent, '', Date.now() + DAY_MS + 60_000);
    assert.deepEqual(readdirSync(parent).sort(), ['2026-11-backup', mine].sort());
  }));
