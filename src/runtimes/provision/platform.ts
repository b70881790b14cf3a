/** Which npm package carries the binary of a runtime for this machine: one package, no installer, no script. */
import { readFileSync } from 'node:fs';
import { ToolError } from '../../model/errors.ts';
import type { ProcessRuntime } from '../../probe/running-runtime.ts';

export interface Host {
  platform: string;
  arch: string;
  /** The C library is musl (Alpine), not glibc. */
  musl: boolean;
  /** False on an x64 processor that lacks AVX2: Bun's standard build dies there of an illegal instruction. */
  avx2: boolean;
}

export interface PlatformPackage {
  package: string;
  /** Path of the binary inside the package. */
  binary: string;
}

const BUN_ARCH: Record<string, string> = { x64: 'x64', arm64: 'aarch64' };
const BUN_OS: Record<string, string> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const DENO: Record<string, string> = {
  'linux-x64': 'linux-x64-glibc',
  'linux-arm64': 'linux-arm64-glibc',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64',
  'win32-arm64': 'win32-arm64',
};
const NODE: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

function bunPackage({ platform, arch, musl, avx2 }: Host): PlatformPackage | null {
  const [os, cpu] = [BUN_OS[platform], BUN_ARCH[arch]];
  if (os === undefined || cpu === undefined) return null;
  const libc = musl ? '-musl' : '';
  const baseline = cpu === 'x64' && platform !== 'darwin' && !avx2 ? '-baseline' : '';
  return {
    package: `@oven/bun-${os}-${cpu}${libc}${baseline}`,
    binary: platform === 'win32' ? 'bin/bun.exe' : 'bin/bun',
  };
}

function denoPackage({ platform, arch, musl }: Host): PlatformPackage | null {
  const target = DENO[`${platform}-${arch}`];
  if (target === undefined || musl) return null;
  return { package: `@deno/${target}`, binary: platform === 'win32' ? 'deno.exe' : 'deno' };
}

function nodePackage({ platform, arch, musl }: Host): PlatformPackage | null {
  const target = NODE[`${platform}-${arch}`];
  if (target === undefined || musl) return null;
  return { package: `node-${target}`, binary: platform === 'win32' ? 'bin/node.exe' : 'bin/node' };
}

const PACKAGE_OF: Record<ProcessRuntime, (host: Host) => PlatformPackage | null> = {
  node: nodePackage,
  bun: bunPackage,
  deno: denoPackage,
};

/** @throws ToolError `runtime-no-build` where the runtime publishes no build for this machine. */
export function platformPackage(name: ProcessRuntime, host: Host): PlatformPackage {
  const found = PACKAGE_OF[name](host);
  if (found === null) {
    const machine = `${host.platform}-${host.arch}${host.musl ? ' (musl)' : ''}`;
    throw new ToolError('runtime-no-build', { value: name, detail: machine });
  }
  return found;
}

let known: Host | null = null;

export function thisHost(): Host {
  known ??= { platform: process.platform, arch: process.arch, musl: isMusl(), avx2: hasAvx2() };
  return known;
}

/** A report names the glibc that node was started with; on musl there is none. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { report } = process;
  // Without this a report resolves the name of every network peer, which can take seconds.
  if ('excludeNetwork' in report) report.excludeNetwork = true;
  const { header } = report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

function hasAvx2(): boolean {
  if (process.platform !== 'linux' || process.arch !== 'x64') return true;
  try {
    return /\bavx2\b/.test(readFileSync('/proc/cpuinfo', 'utf8'));
  } catch {
    return true;
  }
}
