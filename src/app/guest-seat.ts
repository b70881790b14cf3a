import { ToolError } from '../model/errors.ts';
import type { FoundRuntime, GuestProcess, RuntimeDriver, StartOptions } from '../model/runtime.ts';
import type { AnswerTo, Ask } from '../model/wire.ts';

/** Facts that an error from the guest lacks and only the host knows. */
interface AskContext {
  file: string;
  deadlineMs: number;
}

/**
 * A seat for one guest of one runtime: started when first needed, kept for the next question, and replaced by a fresh
 * process after it died, so that a payload that kills its guest costs only itself.
 */
export class GuestSeat {
  readonly runtime: FoundRuntime;
  readonly #driver: RuntimeDriver;
  readonly #options: StartOptions;
  #guest: GuestProcess | null = null;

  constructor(driver: RuntimeDriver, runtime: FoundRuntime, options: StartOptions) {
    this.#driver = driver;
    this.runtime = runtime;
    this.#options = options;
  }

  async ask<A extends Ask>(request: A, context: AskContext): Promise<AnswerTo<A['type']>> {
    if (!this.#guest || this.#guest.dead) this.#guest = await this.#driver.start(this.runtime, this.#options);
    try {
      return await this.#guest.ask(request, { deadlineMs: context.deadlineMs });
    } catch (error) {
      throw error instanceof ToolError && !error.facts.file
        ? new ToolError(error.code, { ...error.facts, file: context.file }, { cause: error })
        : error;
    }
  }

  async close(): Promise<void> {
    const guest = this.#guest;
    this.#guest = null;
    await guest?.close();
  }
}
