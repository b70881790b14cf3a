/** Fetches one version of a runtime from npm into the cache. An entry is complete or absent, also after a crash. */
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withTempFolder } from '../../machine/temp-folders.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { foundRuntime } from '../process/found-runtime.ts';
import type { NpmPackage } from '../process/kind.ts';
import { completeEntry, type EntryKey, ensureFolder, entryFolder, lookUp } from './cache.ts';
import { checkedIntegrity, type IntegrityOptions } from './integrity.ts';
import { NpmFailure, type NpmOptions, npmJson } from './npm.ts';

export type FetchTarget = NpmPackage & EntryKey;

const RENAME_ATTEMPTS = 5;
/** Those of today have 150 MiB: what is packed into few bytes does not fill the disk. */
const MOST_BINARY_BYTES = 2 ** 30;

/**
 * Downloads and unpacks in a temporary folder, then renames. Of two runs at the same time both succeed: the second uses
 * the entry of the first.
 */
export function fetchRuntime(
  cache: string,
  target: FetchTarget,
  options: IntegrityOptions,
): Promise<FoundRuntime> {
  return withTempFolder(join(cache, 'tmp'), async (temp) => {
    const tarball = await download(target, temp, options);
    const integrity = await checkedIntegrity(tarball, target, options);
    const entry = await ensureFolder(join(temp, 'entry'));
    await unpackBinary(tarball, target.binary, entry);
    const { name, version, package: packageName, registry } = target;
    const facts = { name, version, package: packageName, registry, integrity, file: basename(target.binary) };
    await completeEntry(entry, facts);
    return moveIntoCache(cache, entry, temp, target);
  });
}

/** npm compares the tarball with the integrity that its registry published, and fails when they differ. */
async function download(target: FetchTarget, temp: string, options: NpmOptions): Promise<string> {
  const what = `${target.package}@${target.version}`;
  const printed = await npmJson(['pack', what, '--pack-destination', temp], options);
  const [packed] = [printed].flat() as { filename?: string }[];
  if (!packed?.filename) throw new NpmFailure('NOFILE', `npm pack ${what} named no file`);
  // Older clients print the name of a scoped package with its slash, but write a dash.
  return join(temp, packed.filename.replace(/^@/, '').replace(/\//g, '-'));
}

/** Only the binary: a guest needs nothing else of a package (headers, npm itself). */
async function unpackBinary(tarball: string, binary: string, into: string): Promise<void> {
  const { x } = await import('tar');
  const inside = `package/${binary}`;
  let seen = false;
  let isTooLarge = false;
  await x({
    file: tarball,
    cwd: into,
    strip: inside.split('/').length - 1,
    strict: true,
    filter: (path, entry) => {
      const wanted = path === inside && 'type' in entry && entry.type === 'File';
      seen ||= wanted;
      isTooLarge ||= wanted && entry.size > MOST_BINARY_BYTES;
      return wanted && !isTooLarge;
    },
  });
  if (isTooLarge)
    throw new NpmFailure('ETOOLARGE', `${inside} is larger than ${MOST_BINARY_BYTES / 2 ** 20} MiB`);
  if (!seen) throw new NpmFailure('NOBINARY', `the package holds no ${inside}`);
}

async function moveIntoCache(
  cache: string,
  entry: string,
  temp: string,
  target: FetchTarget,
): Promise<FoundRuntime> {
  const folder = entryFolder(cache, target);
  await ensureFolder(dirname(folder));
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(entry, folder);
      return foundRuntime(target, join(folder, basename(target.binary)), 'cache');
    } catch (error) {
      const existing = await lookUp(cache, target);
      if (existing) return existing;
      if (attempt === RENAME_ATTEMPTS) throw error;
    }
    // A broken entry has this name. On Windows a virus scanner may keep it open for a moment.
    await rename(folder, join(temp, `replaced-${attempt}`)).catch(() => delay(100 * attempt));
  }
}
