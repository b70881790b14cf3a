import { devNull } from 'node:os';
import type { RuntimeKind } from './kind.ts';

const ARCH: Readonly<Record<string, string>> = { x64: 'x64', arm64: 'aarch64' };
const OS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

export const bun: RuntimeKind = {
  oldest: '1.0.36',
  versionIn: (printed) => /^(\d+\.\d+\.\d+\S*)\s*$/.exec(printed)?.[1] ?? null,
  // Many programs print a bare version; only Bun prints "1.4.5+a7733435c" here.
  confirm: {
    args: ['--revision'],
    matches: (version, printed) => printed.startsWith(version) && /[+-]/.test(printed),
  },
  guestArgs: () => [
    // Without a node_modules folder Bun would fetch what a payload module imports.
    '--no-install',
    // The working folder's bunfig.toml runs programs before the guest (preload); its .env changes what a module sees.
    `--config=${devNull}`,
    `--env-file=${devNull}`,
  ],
  configFile: () => null,
  // `paths` of a tsconfig.json there, or above, replace the guest's own file. The guest's folder has one that says
  // nothing (scripts/build.mjs).
  readsWorkingFolder: true,
  guestEnv: {
    // A crash is a result here; Bun's handler would send it to bun.report.
    BUN_ENABLE_CRASH_REPORTING: '0',
    BUN_INSPECT: undefined,
    BUN_INSPECT_NOTIFY: undefined,
    BUN_INSPECT_CONNECT_TO: undefined,
    BUN_INSPECT_PRELOAD: undefined,
  },
  inNodeModules: ['@oven/bun-*/bin/bun', '@oven/bun-*/bin/bun.exe', '.bin/bun', 'bun/bin/bun.exe'],
  npmPackage({ platform, arch, musl, avx2 }) {
    if (OS[platform] === undefined || ARCH[arch] === undefined) return null;
    const baseline = arch === 'x64' && platform !== 'darwin' && !avx2 ? '-baseline' : '';
    return {
      package: `@oven/bun-${OS[platform]}-${ARCH[arch]}${musl ? '-musl' : ''}${baseline}`,
      binary: platform === 'win32' ? 'bin/bun.exe' : 'bin/bun',
    };
  },
};
