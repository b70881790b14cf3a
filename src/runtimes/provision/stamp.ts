/**
 * Hashing a runtime takes 150 to 200 ms, so what was compared is kept beside it: the hash, and what the file system says of the
 * file. It counts only where nobody but the user can write it.
 */
import type { BigIntStats } from 'node:fs';
import { lstat, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashOfFile } from '../../machine/given-file.ts';
import { withTempFolder } from '../../machine/temp-folders.ts';

/** `stamp.json` of an entry. */
interface Stamp {
  sha256: string;
  size: string;
  mtimeNs: string;
  /** No program can set it: whoever writes the file changes it. */
  ctimeNs: string;
  inode: string;
}

const FILE = 'stamp.json';
const OWN_FILE = 0o600;
const BITS_OF_OTHERS = 0o077;

/** Hashes the file, unless it is the one that was hashed. @param temp a folder on the same disk */
export async function hasSha256(binary: string, sha256: string, temp: string): Promise<boolean> {
  const now = stampOf(sha256, await stat(binary, { bigint: true }));
  if (JSON.stringify(await ownStamp(dirname(binary))) === JSON.stringify(now)) return true;
  if ((await hashOfFile(binary, 'sha256', 'hex')) !== sha256) return false;
  await keep(dirname(binary), now, temp).catch(() => undefined);
  return true;
}

/** Stamps a file that is complete, and gives its hash. */
export async function stamped(binary: string): Promise<string> {
  // Before it is read: what changes it meanwhile shows.
  const facts = await stat(binary, { bigint: true });
  const sha256 = await hashOfFile(binary, 'sha256', 'hex');
  await writeFile(join(dirname(binary), FILE), JSON.stringify(stampOf(sha256, facts)), { mode: OWN_FILE });
  return sha256;
}

const stampOf = (sha256: string, { size, mtimeNs, ctimeNs, ino }: BigIntStats): Stamp => ({
  sha256,
  size: String(size),
  mtimeNs: String(mtimeNs),
  ctimeNs: String(ctimeNs),
  inode: String(ino),
});

async function ownStamp(folder: string): Promise<Stamp | null> {
  const file = join(folder, FILE);
  try {
    if (!(await isOursAlone(folder)) || !(await isOursAlone(file))) return null;
    return JSON.parse(await readFile(file, 'utf8')) as Stamp;
  } catch {
    return null;
  }
}

/** Windows has no such bits: there the user's profile is the user's. */
async function isOursAlone(path: string): Promise<boolean> {
  const user = process.geteuid?.();
  if (user === undefined) return true;
  const { uid, mode } = await lstat(path);
  return uid === user && (mode & BITS_OF_OTHERS) === 0;
}

const keep = (folder: string, stamp: Stamp, temp: string): Promise<void> =>
  withTempFolder(temp, async (place) => {
    const file = join(place, FILE);
    await writeFile(file, JSON.stringify(stamp), { mode: OWN_FILE });
    await rename(file, join(folder, FILE));
  });
