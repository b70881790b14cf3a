import type { Shape } from '../../model/documents/shape.ts';
import type { Confirmation } from '../../model/report/confirmation.ts';
import { refusedPath } from './refused-path.ts';

/** What the engine says of a payload. */
export interface OracleResult {
  confirmation: Confirmation;
  /** Message of the error when the engine refused the value. */
  rejected: string | null;
}

/** For values or channels that the oracle cannot answer for. */
export function notAnswered(evidence: string): OracleResult {
  return {
    confirmation: { path: null, evidence, examples: [], hidden: [], refused: null },
    rejected: null,
  };
}

/** Not of the engine: a real post shows whether the value has JSON text. */
export const JSON_ANSWER: OracleResult = notAnswered('a message of JSON text has one path');

/**
 * @param error or its message
 * @param value what was refused: its getters run once more
 */
export function rejectedWith(error: unknown, value: unknown, shape: Shape): OracleResult {
  const message = error instanceof Error ? error.message : String(error);
  const refused = refusedPath(value, shape);
  return {
    confirmation: { path: 'rejected', evidence: message, examples: [], hidden: [], refused },
    rejected: message,
  };
}
