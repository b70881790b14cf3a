/** Which npm package carries the binary of a runtime for this machine: one package, no installer, no script. */
import { readFileSync } from 'node:fs';
import { ToolError } from '../../model/errors.ts';
import type { ProgramRuntime } from '../../model/names.ts';
import type { BuildTarget, NpmPackage } from '../process/kind.ts';
import { RUNTIME_KINDS } from '../process/kinds.ts';

/** @throws ToolError `runtime-no-build` where the runtime publishes no build for the machine. */
export function npmPackageOf(name: ProgramRuntime, target: BuildTarget): NpmPackage {
  const { npmPackage, installedBy } = RUNTIME_KINDS[name];
  if (installedBy) {
    const detail = `the project has no such version, and it is fetched by nothing but ${installedBy}`;
    throw new ToolError('runtime-missing', { value: name, detail });
  }
  const found = npmPackage(target);
  if (found === null) {
    const machine = `${target.platform}-${target.arch}${target.musl ? ' (musl)' : ''}`;
    throw new ToolError('runtime-no-build', { value: name, detail: machine });
  }
  return found;
}

let known: BuildTarget | null = null;

export function thisTarget(): BuildTarget {
  known ??= { platform: process.platform, arch: process.arch, musl: isMusl(), avx2: hasAvx2() };
  return known;
}

/** A report names the glibc that node was started with; on musl there is none. */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { report } = process;
  // Without this a report resolves the name of every network peer, which can take seconds.
  if ('excludeNetwork' in report) report.excludeNetwork = true;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
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
