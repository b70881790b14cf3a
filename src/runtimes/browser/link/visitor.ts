import { ToolError } from '../../../model/errors.ts';
import type { FoundRuntime } from '../../../model/run/runtime.ts';
import type { TabOwner } from '../tab.ts';

/** A browser that somebody opened the link with. Nothing of it can be stopped but its link. */
export class Visitor implements TabOwner {
  readonly ended: Promise<ToolError>;
  readonly processGroup = null;
  /** Over a slow network the next page comes late. */
  readonly graceMs = 5000;
  readonly #left: ToolError;
  #end: (error: ToolError) => void = () => undefined;

  constructor({ spec }: FoundRuntime) {
    this.#left = new ToolError('browser-left', { value: spec });
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  kill(): void {
    this.#end(this.#left);
  }

  pause(): void {}

  goOn(): void {}

  excerpt(): string {
    return '';
  }
}
