import { readFileSync, writeFileSync } from 'node:fs';

const STATUS = '/proc/self/status';
const CLEAR_REFS = '/proc/self/clear_refs';
/** proc(5): "5" sets the peak resident set size back to what is resident now. */
const RESET_PEAK = '5';

/** The most memory that this process held resident since the mark was set. */
export interface HighWater {
  /** Looks at what is resident now: the only witness where nobody keeps a peak that can be set back. */
  look(): void;
  /** Bytes, what was resident when the mark was set included. */
  peak(): number;
}

/** Linux keeps the peak and can set it back; elsewhere `look` and the peak of the whole life have to do. */
export function markHighWater(): HighWater {
  return markOfLinux() ?? markOfLooks();
}

function markOfLinux(): HighWater | null {
  try {
    writeFileSync(CLEAR_REFS, RESET_PEAK);
    peakOfLinux();
    return { look: () => undefined, peak: peakOfLinux };
  } catch {
    return null;
  }
}

function peakOfLinux(): number {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(STATUS, 'latin1'));
  if (!found) throw new Error(`no VmHWM in ${STATUS}`);
  return Number(found[1]) * 1024;
}

/** `maxRSS` (kB) never falls: it is the peak since this mark only when it has risen since. */
export function markOfLooks(): HighWater {
  const lifeBefore = lifePeak();
  let most = process.memoryUsage.rss();
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  return {
    look,
    peak: () => {
      look();
      const life = lifePeak();
      return Math.max(most, life > lifeBefore ? life : 0);
    },
  };
}

const lifePeak = (): number => process.resourceUsage().maxRSS * 1024;
