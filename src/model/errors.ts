/** Expected errors have a code and facts; unexpected errors keep their stack. */
import { cutText } from './cut.ts';
import { type ErrorCode, type ErrorFacts, MESSAGES, USAGE_MESSAGES } from './error-messages.ts';
import { guessText } from './guess.ts';

export type { ErrorCode, ErrorFacts };

/** Code of an error, and the facts that its message needs. An error that lacks one of them does not compile. */
type Given = {
  [Code in ErrorCode]: (typeof MESSAGES)[Code] extends (facts: ErrorFacts) => string
    ? [code: Code, facts?: ErrorFacts, options?: ErrorOptions]
    : [code: Code, facts: Parameters<(typeof MESSAGES)[Code]>[0] & ErrorFacts, options?: ErrorOptions];
}[ErrorCode];

const NAMES_SHOWN = 20;
/** Maximum length of a stack, or of a program's output, in characters. */
const MAX_EXCERPT_LENGTH = 8000;

function cutNames(names: readonly string[]): string[] {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => cutText(name));
  return names.length > NAMES_SHOWN ? [...shown, `… (${names.length - NAMES_SHOWN} more)`] : shown;
}

/** Shortens the texts of the facts, which come from files, arguments and user code. */
function cutFacts(code: ErrorCode, facts: ErrorFacts): ErrorFacts {
  const cut: Record<string, unknown> = {};
  for (const [name, fact] of Object.entries(facts) as [keyof ErrorFacts, unknown][]) {
    const isExcerpt = name === 'output' || code === 'internal';
    if (typeof fact === 'string') cut[name] = cutText(fact, isExcerpt ? MAX_EXCERPT_LENGTH : undefined);
    else cut[name] = Array.isArray(fact) ? cutNames(fact) : fact;
  }
  return cut;
}

export class ToolError extends Error {
  override name = 'ToolError';
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;
  constructor(...[code, facts = {}, options]: Given) {
    const cut = cutFacts(code, facts);
    super((MESSAGES[code] as (facts: ErrorFacts) => string)(cut), options);
    this.code = code;
    this.facts = cut;
  }

  /** An error that was made before, perhaps by another process. It keeps its code and facts. */
  static again(code: ErrorCode, facts: ErrorFacts, options?: ErrorOptions): ToolError {
    return new ToolError(...([code, facts, options] as Given));
  }
}

/** Error in the words that the user typed, or that a caller gave. */
export const usage = (detail: string): ToolError => new ToolError('usage', { detail });

/** The name that a word is. @param what is named: an option @throws ToolError 'usage' for a word that is none of them */
export function knownName<Name extends string>(names: readonly Name[], word: string, what: string): Name {
  const known = names.find((name) => name === word);
  if (known !== undefined) return known;
  throw usage(`${what}: '${word}' is unknown.${guessText(word, names)} Known: ${names.join(', ')}`);
}

/** 0 ok · 1 the gate failed · 2 usage · 3 a payload could not be measured or tried · 130 interrupted (128 + SIGINT). */
export const EXIT = { ok: 0, gate: 1, usage: 2, failure: 3, interrupted: 130 } as const;

export const isUsageCode = (code: string): boolean => Object.hasOwn(USAGE_MESSAGES, code);

export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof ToolError)) return EXIT.failure;
  if (error.code === 'interrupted') return EXIT.interrupted;
  return isUsageCode(error.code) ? EXIT.usage : EXIT.failure;
}
