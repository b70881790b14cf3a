import type { ToolError } from '../model/errors.ts';

/** What is alive behind a guest: a process group, a browser with its profile, a tab that we do not own. */
export interface Body {
  kill(): void;
  /** Settles when it has ended, with the error for requests that still wait. */
  readonly ended: Promise<ToolError>;
  /** The last lines that it printed, for the text of an error. */
  excerpt(): string;
}
