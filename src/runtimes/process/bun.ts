import type { RuntimeKind } from './kind.ts';

export const bun = {
  name: 'bun',
  engine: 'jsc',
  versionIn: (printed) => /^(\d+\.\d+\.\d+\S*)\s*$/.exec(printed)?.[1] ?? null,
  // Many programs print a bare version; only Bun prints "1.4.5+a7733435c" here.
  confirm: {
    args: ['--revision'],
    matches: (version, printed) => printed.startsWith(version) && /[+-]/.test(printed),
  },
  // Without a node_modules folder Bun would fetch what a payload module imports.
  guestArgs: () => ['--no-install'],
  guestEnv: {
    // A crash is a result here; Bun's handler would send it to bun.report.
    BUN_ENABLE_CRASH_REPORTING: '0',
    BUN_INSPECT: undefined,
    BUN_INSPECT_NOTIFY: undefined,
    BUN_INSPECT_CONNECT_TO: undefined,
    BUN_INSPECT_PRELOAD: undefined,
  },
  inNodeModules: ['@oven/bun-*/bin/bun', '@oven/bun-*/bin/bun.exe', '.bin/bun', 'bun/bin/bun.exe'],
} satisfies RuntimeKind;
