import { Buffer } from 'node:buffer';
import type { CoreClock, CoreTime } from '../common/platform.ts';
import { closeSync, openSync, readlinkSync, readSync } from './files.ts';

/** proc(5). Two numbers that end with a space, then the number of time slices. */
const fileOf = (thread: string): string => `/proc/self/task/${thread}/schedstat`;
const [SPACE, ZERO] = [32, 48];

/** Taken before user code loads. */
const cpuUsage = process.cpuUsage.bind(process);

/** The calling thread, as a clock of this process names it; null if the system does not tell. */
export function ownThread(): string | null {
  try {
    return readlinkSync('/proc/thread-self').split('/').at(-1) ?? null;
  } catch {
    return null;
  }
}

/**
 * A clock of threads of this process: Linux tells what each had of the cores, so that what other programs take from a message does
 * not count. A read takes 5 to 20 µs. Null on other systems, and if one of the threads belongs to another process.
 */
export function openCoreClock(threads: readonly string[]): CoreClock | null {
  const files: number[] = [];
  const close = (): void => {
    for (const file of files) closeSync(file);
  };
  try {
    for (const thread of threads) files.push(openSync(fileOf(thread), 'r'));
  } catch {
    close();
    return null;
  }
  const text = Buffer.alloc(64);
  const time: CoreTime = { ranNs: 0, waitedNs: 0 };
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (; text[at]! !== SPACE; at++) value = value * 10 + text[at]! - ZERO;
    at++;
    return value;
  };
  const read = (): CoreTime => {
    // The kernel adds up the current thread's time for this call; its file alone would be behind by up to a tick, 4 ms.
    cpuUsage();
    time.ranNs = time.waitedNs = 0;
    for (const file of files) {
      readSync(file, text, 0, text.length, 0);
      at = 0;
      time.ranNs += number();
      time.waitedNs += number();
    }
    return time;
  };
  return { read, close };
}
