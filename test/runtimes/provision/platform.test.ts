import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { npmPackageOf } from '../../../src/runtimes/provision/provision.ts';
import { isToolError } from '../../support/tool-errors.ts';

type Name = string | null;
type Row = [machine: string, bun: Name, deno: Name, node: Name, workerd: Name];

const PREFIXES = ['@oven/bun-', '@deno/', 'node-', '@cloudflare/workerd-'] as const;

/** The names as npm has them, after the prefix. */
const ROWS: Row[] = [
  ['linux-x64', 'linux-x64', 'linux-x64-glibc', 'linux-x64', 'linux-64'],
  ['linux-x64-old', 'linux-x64-baseline', 'linux-x64-glibc', 'linux-x64', 'linux-64'],
  ['linux-x64-musl', 'linux-x64-musl', null, null, null],
  ['linux-x64-musl-old', 'linux-x64-musl-baseline', null, null, null],
  ['linux-arm64', 'linux-aarch64', 'linux-arm64-glibc', 'linux-arm64', 'linux-arm64'],
  ['linux-arm64-musl', 'linux-aarch64-musl', null, null, null],
  ['darwin-x64', 'darwin-x64', 'darwin-x64', 'darwin-x64', 'darwin-64'],
  ['darwin-arm64', 'darwin-aarch64', 'darwin-arm64', 'darwin-arm64', 'darwin-arm64'],
  ['win32-x64', 'windows-x64', 'win32-x64', 'win-x64', 'windows-64'],
  ['win32-arm64', 'windows-aarch64', 'win32-arm64', 'win-arm64', null],
  ['linux-s390x', null, null, null, null],
  ['freebsd-x64', null, null, null, null],
];

describe('one package for each machine', () => {
  for (const [machine, ...names] of ROWS) {
    test(machine, () => {
      const [platform = '', arch = '', ...more] = machine.split('-');
      const host = { platform, arch, musl: more.includes('musl'), avx2: !more.includes('old') };
      for (const [i, name] of (['bun', 'deno', 'node', 'workerd'] as const).entries()) {
        const wanted = names[i];
        if (wanted === null) {
          assert.throws(() => npmPackageOf(name, host), isToolError('runtime-no-build'));
        } else {
          const found = npmPackageOf(name, host);
          assert.equal(found.package, `${PREFIXES[i]}${wanted}`);
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
