import { ToolError } from '../../model/errors.ts';
import { PROCESS_RUNTIMES } from '../../model/names.ts';
import { GuestSlot } from '../guest-slot.ts';
import type { MeasureTools } from '../tools.ts';
import type { GateRequest } from './request.ts';

/** One slot for each runtime, shared by all payloads of a request, with what each step needs of the request. */
export class Guests<Request extends GateRequest = GateRequest> {
  readonly request: Request;
  readonly tools: MeasureTools;
  readonly #slots = new Map<string, GuestSlot>();
  /** On a machine of the other kind: see `elsewhere` of a start. */
  readonly #elsewhere = new Map<string, GuestSlot>();

  constructor(request: Request, tools: MeasureTools) {
    this.request = request;
    this.tools = tools;
    for (const [spec, runtime] of request.runtimes) {
      if (runtime instanceof ToolError) continue;
      this.#slots.set(spec, new GuestSlot(tools.driver, runtime, request));
      if (PROCESS_RUNTIMES.some((one) => one === runtime.name))
        this.#elsewhere.set(spec, new GuestSlot(tools.driver, runtime, { ...request, elsewhere: true }));
    }
  }

  at(spec: string): GuestSlot | null {
    return this.#slots.get(spec) ?? null;
  }

  /** Null where guests have no environment. */
  elsewhere(spec: string): GuestSlot | null {
    return this.#elsewhere.get(spec) ?? null;
  }

  missing(spec: string): ToolError {
    const found = this.request.runtimes.get(spec);
    return found instanceof ToolError
      ? found
      : new ToolError('runtime-missing', { value: spec, detail: 'not asked for' });
  }

  /** Where modules are opened: in the entry's own runtimes if one is here. */
  openers(specs: readonly string[]): GuestSlot[] {
    const own = specs.flatMap((spec) => this.at(spec) ?? []);
    return own.length > 0 ? own : [...this.#slots.values()];
  }

  /** An idle guest would take cycles from a measured one. */
  async close(): Promise<void> {
    const all = [...this.#slots.values(), ...this.#elsewhere.values()];
    await Promise.all(all.map((slot) => slot.close()));
  }
}
