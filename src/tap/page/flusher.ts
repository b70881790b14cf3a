/**
 * Sends what was counted, soon: a worker may be terminated, and a page left. At the end of the running task where that costs
 * little, else by the scheduler, whose tasks have no numbers that the page could see.
 */
import { Governor } from '../messages/looks.ts';
import { now, unbound } from '../realm/intrinsics.ts';

/** Part of the thread's time for sending at once. */
const AT_ONCE_MS = 20;
const SHARE = 0.02;
const LATER_MS = 50;

interface Scheduler {
  postTask(run: () => void, options: { delay: number }): unknown;
}

const { scheduler } = globalThis as { scheduler?: Scheduler };
const postTask = scheduler && unbound(scheduler.postTask);
const { setTimeout: afterTime, queueMicrotask: atEnd } = globalThis;

export class Flusher {
  readonly #flush: () => void;
  readonly #governor: Governor;
  #isDue = false;

  constructor(flush: () => void) {
    this.#flush = flush;
    this.#governor = new Governor(now(), AT_ONCE_MS, SHARE);
  }

  /** Something was counted. */
  due(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const run = () => this.#run();
    if (this.#governor.left(now()) > 0) atEnd(run);
    else if (scheduler && postTask) postTask(scheduler, run, { delay: LATER_MS });
    else afterTime(run, LATER_MS);
  }

  #run(): void {
    this.#isDue = false;
    const from = now();
    this.#flush();
    this.#governor.spentMs += now() - from;
  }
}
