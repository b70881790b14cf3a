import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '../../core/versions.ts';
import { projectFolders } from '../../machine/folders.ts';
import type { RuntimeKind } from './kind.ts';

/**
 * Deno looks for its config beside the program, which is the guest's here: the user's import map would be missing. An
 * import map can also replace what the guest itself imports.
 */
function configFile(cwd: string): string | null {
  const files = projectFolders(cwd).flatMap((folder) => [
    join(folder, 'deno.json'),
    join(folder, 'deno.jsonc'),
  ]);
  return files.find((file) => existsSync(file)) ?? null;
}

const SYSTEMS = ['linux', 'darwin', 'win32'];
const ARCHS = ['x64', 'arm64'];

export const deno: RuntimeKind = {
  oldest: '2.0.0',
  versionIn: (printed) => /^deno (\d+\.\d+\.\d+\S*)/.exec(printed)?.[1] ?? null,
  confirm: null,
  guestArgs: (config, version) => [
    'run',
    '--allow-all',
    '--no-prompt',
    '--no-lock',
    // Nothing is fetched at import: a payload's dependencies are in the cache or in node_modules.
    '--cached-only',
    // Resolves bare names in the user's node_modules, from the payload's folder; the default mode refuses them,
    // because the guest is not part of the user's project.
    '--node-modules-dir=manual',
    // A .js file of a package without "type" is CommonJS when its syntax is, as on Node and Bun. 2.0.0 lacks the flag.
    ...(compareVersions(version, '2.0.6') < 0 ? [] : ['--unstable-detect-cjs']),
    // A global without the flag only in later versions: 2.9 has it, 2.3 has not.
    '--unstable-broadcast-channel',
    // Node sets this at run time; Deno only here (v8.setFlagsFromString has no effect on the parser there).
    '--v8-flags=--allow-natives-syntax',
    ...(config === null ? ['--no-config'] : ['--config', config]),
  ],
  configFile,
  readsWorkingFolder: false,
  guestEnv: {
    DENO_NO_UPDATE_CHECK: '1',
    DENO_NO_PROMPT: '1',
    DENO_V8_COVERAGE: undefined,
    DENO_COVERAGE_DIR: undefined,
  },
  inNodeModules: ['@deno/*/deno', '@deno/*/deno.exe', 'deno/deno', '.bin/deno'],
  npmPackage({ platform, arch, musl }) {
    if (!SYSTEMS.includes(platform) || !ARCHS.includes(arch) || musl) return null;
    return {
      package: `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`,
      binary: platform === 'win32' ? 'deno.exe' : 'deno',
    };
  },
};
