import type { RuntimeKind } from './kind.ts';

const OS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'win' };
const ARCHS = ['x64', 'arm64'];

export const node: RuntimeKind = {
  oldest: '20.19.0',
  versionIn: (printed) => /^v(\d+\.\d+\.\d+\S*)\s*$/.exec(printed)?.[1] ?? null,
  confirm: null,
  // V8 natives and the garbage collector are reached at run time (v8.setFlagsFromString): no flag needed.
  guestArgs: () => [],
  configFile: () => null,
  readsWorkingFolder: false,
  guestEnv: {
    // Coverage counters change what is measured, and write files for a process that is not the user's program.
    NODE_V8_COVERAGE: undefined,
    NODE_TEST_CONTEXT: undefined,
    VSCODE_INSPECTOR_OPTIONS: undefined,
  },
  inNodeModules: ['node/bin/node', 'node/bin/node.exe'],
  npmPackage({ platform, arch, musl }) {
    if (OS[platform] === undefined || !ARCHS.includes(arch) || musl) return null;
    return {
      package: `node-${OS[platform]}-${arch}`,
      binary: platform === 'win32' ? 'bin/node.exe' : 'bin/node',
    };
  },
};
