/** How messages are looked at, and the time that parts of the recorder may take. */
import { builtInsAreIntact } from '../realm/intact.ts';
import * as kept from '../realm/intrinsics.ts';
import { platform } from '../realm/platform.ts';

class Looker {
  isRunning = false;

  /** null if the value cannot be looked at without running the program's code: built-ins are called by name. */
  with<T>(run: () => T): T | null {
    return builtInsAreIntact() ? this.running(() => platform.alone(run)) : null;
  }

  /** Runs it unrecorded: it may clone. */
  running<T>(run: () => T): T {
    this.isRunning = true;
    try {
      return run();
    } finally {
      this.isRunning = false;
    }
  }
}

export const looker = new Looker();

/**
 * Bounds what a part of the recorder takes: some milliseconds at once, a share of the time since the thread started,
 * and what is earned.
 */
export const governor = (startedAt: number, atOnceMs: number, share: number) => ({
  /** Less what was earned. */
  spentMs: 0,
  /** Time that may be spent now, ms; 0 or less: nothing. */
  left(now: number): number {
    return atOnceMs + share * (now - startedAt) - this.spentMs;
  },
  /** Runs it if there is time. */
  within(run: () => void): void {
    const from = kept.now();
    if (this.left(from) <= 0) return;
    run();
    this.spentMs += kept.now() - from;
  },
});
