/** Loads the code that looks at messages with the first. That calls built-ins by their names: not after the program has replaced one. */
import type { FoundValue } from '../../model/documents/recorded/recording.ts';
import type { TapSettings } from '../../model/recording/settings.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import type { Look, LookRequest, LookTools, RefusalSearch, TapPlatform } from '../realm/platform.ts';

export class Looker {
  readonly #platform: Pick<TapPlatform, 'loadLook' | 'alone'>;
  readonly #values: TapSettings['values'];
  #tools: LookTools | null = null;
  isRunning = false;

  constructor(platform: Pick<TapPlatform, 'loadLook' | 'alone'>, { values }: Pick<TapSettings, 'values'>) {
    this.#platform = platform;
    this.#values = values;
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
  look(
    value: unknown,
    transfer: unknown,
    request: Omit<LookRequest, 'values'>,
    isKept: boolean,
  ): Look | null {
    const values = isKept ? this.#values : 'none';
    return this.#with((tools) => tools.look(value, transfer, { ...request, values }));
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
