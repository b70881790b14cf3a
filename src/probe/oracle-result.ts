import type { Confirmation } from '../model/confirmation.ts';

/** What the engine says of a payload. */
export interface OracleResult {
  confirmation: Confirmation;
  /** Bytes on the wire, where the engine's serializer was asked. */
  wireBytes: number | null;
  /** Message of the error when the engine refused the value. */
  rejected: string | null;
}

/** For values or channels that the oracle cannot answer for. */
export function notAnswered(evidence: string): OracleResult {
  return {
    confirmation: { path: null, evidence, examples: [], hidden: [] },
    wireBytes: null,
    rejected: null,
  };
}

export function rejectedWith(error: unknown): OracleResult {
  const message = error instanceof Error ? error.message : String(error);
  return {
    confirmation: { path: 'rejected', evidence: message, examples: [], hidden: [] },
    wireBytes: null,
    rejected: message,
  };
}
