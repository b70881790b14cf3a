import type { Confirmation } from '../model/wire.ts';

/** What came of asking the engine. */
export interface Confirmed {
  confirmation: Confirmation;
  /** Bytes on the wire, where the engine's serializer was asked. */
  wireBytes: number | null;
  /** Message of the error with which the engine refused the value. */
  rejected: string | null;
}

/** The oracle does not answer for such a value. */
export function notAnswered(evidence: string): Confirmed {
  return { confirmation: { path: null, evidence, at: [], hidden: [] }, wireBytes: null, rejected: null };
}

export function rejectedWith(error: unknown): Confirmed {
  const message = error instanceof Error ? error.message : String(error);
  return {
    confirmation: { path: 'rejected', evidence: message, at: [], hidden: [] },
    wireBytes: null,
    rejected: message,
  };
}
