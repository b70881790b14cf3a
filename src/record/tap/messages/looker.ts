/** How messages are looked at, and the time that parts of the recorder may take. */
import { builtInsAreIntact } from '../realm/intact.ts';
import * as kept from '../realm/intrinsics.ts';
import { platform } from '../realm/platform.ts';

export let isLooking = false;

/** Runs it unrecorded: it may clone. */
export function unrecorded<T>(run: () => T): T {
  isLooking = true;
  try {
    return run();
  } finally {
    isLooking = false;
  }
}

/** null if the value cannot be looked at without running the program's code: built-ins are called by name. */
export const looking = <T>(run: () => T): T | null =>
  builtInsAreIntact() ? unrecorded(() => platform.alone(run)) : null;

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
