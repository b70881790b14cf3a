import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashOfFile } from '../../../src/machine/given-file.ts';
import { hasSha256, stamped } from '../../../src/runtimes/provision/stamp.ts';

async function stampedFile(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'clone-prof-stamp-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [binary, stamp, temp] = [join(folder, 'bun'), join(folder, 'stamp.json'), join(folder, 'tmp')];
  await writeFile(binary, 'as it was fetched');
  const sha256 = await stamped(binary);
  return { folder, binary, stamp, sha256, isWhole: (hash = sha256) => hasSha256(binary, hash, temp) };
}

const onPosix = { skip: process.platform === 'win32' };

test('a stamp is readable by its user alone, and holds what the file system says of the file', async (t) => {
  const { binary, stamp, sha256, isWhole } = await stampedFile(t);
  if (process.platform !== 'win32') assert.equal((await stat(stamp)).mode & 0o777, 0o600);
  const { size, mtimeNs, ctimeNs, ino } = await stat(binary, { bigint: true });
  assert.deepEqual(JSON.parse(await readFile(stamp, 'utf8')), {
    sha256,
    ...{ size: `${size}`, mtimeNs: `${mtimeNs}`, ctimeNs: `${ctimeNs}`, inode: `${ino}` },
  });
  assert.equal(await isWhole(), true);
  assert.equal(await isWhole('0'), false, 'another hash is asked for');
});

/** Of a file with other bytes, a stamp that says it has the hash: only where it counts, the file is not read. */
async function forged({ binary, stamp, sha256 }: Awaited<ReturnType<typeof stampedFile>>): Promise<void> {
  await writeFile(binary, 'as it was altered');
  await stamped(binary);
  const text = await readFile(stamp, 'utf8');
  await writeFile(stamp, text.replace(await hashOfFile(binary, 'sha256', 'hex'), sha256));
}

const WRITERS: [name: string, file: 'folder' | 'stamp', mode: number][] = [
  ['a stamp that others can read', 'stamp', 0o644],
  ['a stamp that others can write', 'stamp', 0o606],
  ['a folder that others can write', 'folder', 0o770],
];
for (const [name, file, mode] of WRITERS) {
  test(`${name} does not count: the file is hashed`, onPosix, async (t) => {
    const entry = await stampedFile(t);
    await forged(entry);
    assert.equal(await entry.isWhole(), true, 'its own stamp counts');
    await chmod(entry[file], mode);
    assert.equal(await entry.isWhole(), false);
  });
}

test('a stamp of another user does not count', { skip: process.geteuid?.() !== 0 }, async (t) => {
  const { chown } = await import('node:fs/promises');
  const entry = await stampedFile(t);
  await forged(entry);
  await chown(entry.stamp, 12_345, 0);
  assert.equal(await entry.isWhole(), false);
});

test('a file whose times changed is hashed once, and stamped again', async (t) => {
  const { binary, stamp, isWhole } = await stampedFile(t);
  await utimes(binary, 1, 1);
  const old = await readFile(stamp, 'utf8');
  assert.equal(await isWhole(), true);
  const { mtimeNs } = JSON.parse(await readFile(stamp, 'utf8'));
  assert.equal(mtimeNs, '1000000000');
  await writeFile(stamp, old);
  await writeFile(binary, 'other bytes of it');
  assert.equal(await isWhole(), false);
  assert.equal(await readFile(stamp, 'utf8'), old, 'what is wrong is not stamped');
});

test('half a stamp, or none, is no stamp', async (t) => {
  const { stamp, isWhole } = await stampedFile(t);
  for (const text of ['', '{"sha256":"', 'null']) {
    await writeFile(stamp, text);
    // It is the file that is compared.
    assert.equal(await isWhole('0'), false, text);
    assert.equal(await isWhole(), true, text);
  }
  await rm(stamp);
  assert.equal(await isWhole('0'), false);
  await rm(stamp, { force: true });
  assert.equal(await isWhole(), true);
});
