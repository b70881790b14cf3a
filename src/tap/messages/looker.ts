/** Loads the code that looks at messages with the first. That calls built-ins by their names: not after the program has replaced one. */
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import {
  type Look,
  type LookRequest,
  type LookTools,
  platform,
  type RefusalSearch,
  settings,
} from '../realm/platform.ts';

class Looker {
  #tools: LookTools | null = null;
  isRunning = false;

  load(): void {
    if (this.#tools === null && builtInsAreIntact())
      this.#tools = this.running(() => platform.alone(() => platform.loadLook()));
  }

  /**
   * null if the value cannot be looked at without running code of the program's.
   *
   * @param isKept with its values, if the user wants them
   */
  look(
    value: unknown,
    transfer: unknown,
    request: Omit<LookRequest, 'values'>,
    isKept: boolean,
  ): Look | null {
    const values = isKept ? settings.values : 'none';
    return this.#with((tools) => tools.look(value, transfer, { ...request, values }));
  }

  refused(value: unknown, transfer: unknown, search: RefusalSearch): FoundValue | null {
    this.load();
    return this.#with((tools) => tools.refused(value, transfer, search));
  }

  #with<T>(run: (tools: LookTools) => T): T | null {
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
