/** v8-profiler-next, installed as a user would install it. It is not a dependency of this project. */
import { existsSync } from 'node:fs';
import { cachedFolder, installOnce } from './cached-package.ts';

const VERSION = '1.10.0';

/** By its readme; from Node 22 on V8's interface has changed and it does not compile (its issue 73). */
const isSupported = Number(process.versions.node.split('.')[0]) < 22;

/** The folder whose node_modules it is in; in the cache of the tool, because compiling takes some 15 s. */
export const ADDON_FOLDER = cachedFolder(`v8-profiler-next-${VERSION}-abi${process.versions.modules}`);

/** For the `skip` option of a test. When CI=true it is a reason only on a Node for which it cannot be compiled. */
export function missingAddon(): string | false {
  if (!isSupported) return 'v8-profiler-next cannot be compiled for this Node';
  if (existsSync(ADDON_FOLDER) || process.env.CI === 'true') return false;
  return 'v8-profiler-next: not here. npm test installs it, and fails without it when CI=true';
}

/** Its install script fetches a build or compiles one. @throws what npm printed when that fails */
export async function installAddon(): Promise<void> {
  if (isSupported) await installOnce(ADDON_FOLDER, `v8-profiler-next@${VERSION}`);
}
