/** Loads the code that looks at messages with the first. That calls built-ins by their names: not after the program has replaced one. */
import type { Mask } from '../../core/recording/values/sample-options.ts';
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import type { TapSettings } from '../../model/recording/settings.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import type { Look, LookRequest, LookTools, RefusalSearch, TapPlatform } from '../realm/platform.ts';

export class Looker {
  readonly #platform: Pick<TapPlatform, 'loadLook' | 'alone'>;
  /** Mask of messages whose values are kept. */
  readonly #kept: Mask;
  #tools: LookTools | null = null;
  isRunning = false;

  constructor(
    platform: Pick<TapPlatform, 'loadLook' | 'alone'>,
    { values, mask }: Pick<TapSettings, 'values' | 'mask'>,
  ) {
    this.#platform = platform;
    this.#kept = values ? (mask ? 'texts' : 'none') : 'all';
  }

  load(): void {
    if (this.#tools === null && builtInsAreIntact())
      this.#tools = this.running(() => this.#platform.alone(() => this.#platform.loadLook()));
  }

  /**
   * null if the value cannot be looked at without running code of the program's.
   *
   * @param isKept with its values, if the user wants them
   */
  look(value: unknown, transfer: unknown, request: Omit<LookRequest, 'mask'>, isKept: boolean): Look | null {
    const mask = isKept ? this.#kept : 'all';
    return this.#with((tools) => tools.look(value, transfer, { ...request, mask }));
  }

  refused(value: unknown, transfer: unknown, search: RefusalSearch): FoundValue | null {
    this.load();
    return this.#with((tools) => tools.refused(value, transfer, search));
  }

  #with<T>(run: (tools: LookTools) => T): T | null {
    const tools = this.#tools;
    if (tools === null || !builtInsAreIntact()) return null;
    return this.running(() => this.#platform.alone(() => run(tools)));
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
