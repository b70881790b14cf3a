import { readFileSync, writeFileSync } from 'node:fs';

const STATUS = '/proc/self/status';
const CLEAR_REFS = '/proc/self/clear_refs';
/** proc(5): "5" sets the peak resident set size back to what is resident now. */
const RESET_PEAK = '5';

/** The most memory that this process held resident since the mark was set, in bytes. */
export interface HighWater {
  /** Looks at what is resident now: the only witness where nobody keeps a peak that can be set back. */
  look(): void;
  /** Bytes above what was resident when the mark was set; never negative. */
  risen(): number;
}

/** Linux keeps the peak and can set it back; elsewhere `look` and the peak of the whole life have to do. */
export function markHighWater(): HighWater {
  return markOfLinux() ?? markOfLooks();
}

function markOfLinux(): HighWater | null {
  try {
    writeFileSync(CLEAR_REFS, RESET_PEAK);
    const before = statusBytes('VmRSS');
    return {
      look: () => undefined,
      risen: () => Math.max(0, statusBytes('VmHWM') - before),
    };
  } catch {
    return null;
  }
}

function statusBytes(field: 'VmRSS' | 'VmHWM'): number {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(STATUS, 'latin1'));
  if (!found) throw new Error(`no ${field} in ${STATUS}`);
  return Number(found[1]) * 1024;
}

/** `maxRSS` (kB) never falls: it is the peak of this mark only when it rose above the one before. */
function markOfLooks(): HighWater {
  const before = process.memoryUsage.rss();
  const peakBefore = lifePeak();
  let most = before;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  return {
    look,
    risen: () => {
      look();
      const peak = lifePeak();
      return Math.max(most, peak > peakBefore ? peak : 0) - before;
    },
  };
}

const lifePeak = (): number => process.resourceUsage().maxRSS * 1024;
