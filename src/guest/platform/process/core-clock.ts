import { Buffer } from 'node:buffer';
import type { CoreClock, CoreTime } from '../common/platform.ts';
import { files } from './files.ts';

/** A thread of any process, as proc(5) names it. */
const THREAD = /^\d+\/task\/\d+$/;
/** Two numbers that end with a space, then the number of time slices. */
const [SPACE, ZERO] = [32, 48];

/** Taken before user code loads. */
const cpuUsage = process.cpuUsage.bind(process);

/** The calling thread, as clocks name it: "27376/task/27412"; null if the system does not tell. */
export function ownThread(): string | null {
  try {
    return files.readlinkSync('/proc/thread-self');
  } catch {
    return null;
  }
}

/**
 * A clock of threads: Linux reports each thread's time on cores, so that the time of other programs does not count. A
 * read takes 5 to 20 µs. Null on other systems, and if a name does not belong to a thread: it comes from a peer, whose
 * process runs user code.
 */
export function openCoreClock(threads: readonly string[]): CoreClock | null {
  const open: number[] = [];
  const close = (): void => {
    for (const file of open) files.closeSync(file);
  };
  try {
    for (const thread of threads) {
      if (!THREAD.test(thread)) throw new Error(`no thread: ${thread}`);
      open.push(files.openSync(`/proc/${thread}/schedstat`, 'r'));
    }
  } catch {
    close();
    return null;
  }
  const text = Buffer.alloc(64);
  const time: CoreTime = { ranNs: 0, waitedNs: 0 };
  const add = (file: number): void => {
    files.readSync(file, text, 0, text.length, 0);
    let at = 0;
    const number = (): number => {
      let value = 0;
      for (; text[at]! !== SPACE; at++) value = value * 10 + text[at]! - ZERO;
      at++;
      return value;
    };
    time.ranNs += number();
    time.waitedNs += number();
  };
  const read = (): CoreTime => {
    // The kernel adds up the current thread's time for this call; its file alone would be behind by up to a tick, 4 ms.
    cpuUsage();
    time.ranNs = time.waitedNs = 0;
    try {
      for (const file of open) add(file);
    } catch {
      // A thread has ended, which its peer reports by itself.
    }
    return time;
  };
  return { read, close };
}
