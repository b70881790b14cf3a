/** The code that looks at messages, and the time that parts of the recorder may take. */
import type { LookTools } from '../look/look.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import { platform } from '../realm/platform.ts';

/** Loads the code for looks with the first message: it calls built-ins by name, which the program may replace later. */
class Looker {
  #tools: LookTools | null = null;
  isRunning = false;
  /** The entry of each runtime gives its own, before anything is recorded. */
  loadTools!: () => LookTools;

  load(): void {
    if (this.#tools === null && builtInsAreIntact())
      this.#tools = this.running(() => platform.alone(this.loadTools));
  }

  /** null if the value cannot be looked at without running the program's code. */
  with<T>(run: (tools: LookTools) => T): T | null {
    this.load();
    const tools = this.#tools;
    if (tools === null || !builtInsAreIntact()) return null;
    return this.running(() => platform.alone(() => run(tools)));
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
});
