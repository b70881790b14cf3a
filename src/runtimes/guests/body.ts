import type { ToolError } from '../../model/errors.ts';

/**
 * What is alive behind a guest: a process group, or for other kinds of runtime a browser with its profile folder, or a tab
 * that the tool does not own. Each driver brings one for its guests.
 */
export interface Body {
  kill(): void;
  /** No request is open, or one is again: an idle body should leave the processor to the guests that are measured. */
  idle?(isIdle: boolean): void;
  /** Resolves when it has ended, with the error for requests that still wait. */
  readonly ended: Promise<ToolError>;
  /** The last lines that it printed, for error messages. */
  excerpt(): string;
}
