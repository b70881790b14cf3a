import { readFileSync, writeFileSync } from 'node:fs';

const STATUS = '/proc/self/status';
const CLEAR_REFS = '/proc/self/clear_refs';
/** proc(5): "5" resets the peak resident set size to what is resident now. */
const RESET_PEAK = '5';

/** The most memory that this process held resident since the watch began. */
export interface PeakMemory {
  /** Notes what is resident now, where the system keeps no peak that can be reset. */
  sample(): void;
  /** Bytes, including what was resident when the watch began. */
  bytes(): number;
}

/** Linux keeps a peak and can reset it. Elsewhere samples and the peak of the whole life have to do. */
export function markPeakMemory(): PeakMemory {
  return linuxPeak() ?? sampledPeak();
}

function linuxPeak(): PeakMemory | null {
  try {
    writeFileSync(CLEAR_REFS, RESET_PEAK);
    linuxPeakBytes();
    return { sample: () => undefined, bytes: linuxPeakBytes };
  } catch {
    return null;
  }
}

function linuxPeakBytes(): number {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(STATUS, 'latin1'));
  if (!found) throw new Error(`no VmHWM in ${STATUS}`);
  return Number(found[1]) * 1024;
}

/** `maxRSS` (kB) never falls: it counts only when it has risen since the watch began. */
export function sampledPeak(): PeakMemory {
  const lifeBefore = lifePeak();
  let most = process.memoryUsage.rss();
  const sample = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  return {
    sample,
    bytes: () => {
      sample();
      const life = lifePeak();
      return Math.max(most, life > lifeBefore ? life : 0);
    },
  };
}

const lifePeak = (): number => process.resourceUsage().maxRSS * 1024;
