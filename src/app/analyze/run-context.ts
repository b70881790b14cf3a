import type { GuestSlot } from '../guest-slot.ts';
import type { AnalyzeRequest, RunTarget, Tools } from '../tools.ts';

/** What every step of one run works with. */
export interface RunContext extends RunTarget {
  slot: GuestSlot;
  request: AnalyzeRequest;
  tools: Tools;
}
