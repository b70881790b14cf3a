import { arch, cpus, platform, release, totalmem } from 'node:os';
import type { Machine } from '../model/documents/report.ts';

/** The machine that this runs on, as a report names it. */
export function thisMachine(): Machine {
  return {
    os: `${platform()} ${release()}`,
    arch: arch(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
  };
}
