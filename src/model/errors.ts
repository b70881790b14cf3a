/** Expected errors have a code and facts; unexpected errors keep their stack. */
import { cutText } from './cut.ts';
import { type ErrorCode, type ErrorFacts, MESSAGES, USAGE_MESSAGES } from './error-messages.ts';
import { guessText } from './guess.ts';

export type { ErrorCode, ErrorFacts };

type NeededBy<Code extends ErrorCode> =
  Parameters<(typeof MESSAGES)[Code]> extends [infer Facts] ? Facts : ErrorFacts;
/** Facts that the message of an error needs; for a union of codes, the facts of all their messages. */
type FactsFor<Code extends ErrorCode> = (
  Code extends ErrorCode
    ? (facts: NeededBy<Code>) => void
    : never
) extends (facts: infer Facts) => void
  ? Facts
  : never;

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

class CodedError extends Error {
  override name = 'ToolError';
  readonly code: ErrorCode;
  readonly facts: ErrorFacts;
  constructor(code: ErrorCode, facts: ErrorFacts = {}, options?: ErrorOptions) {
    const cut = cutFacts(code, facts);
    super((MESSAGES[code] as (facts: ErrorFacts) => string)(cut), options);
    this.code = code;
    this.facts = cut;
  }

  /** An error that was made before, perhaps by another process. It keeps its code and facts. */
  static again(code: ErrorCode, facts: ErrorFacts, options?: ErrorOptions): CodedError {
    return new CodedError(code, facts, options);
  }
}

export type ToolError = CodedError;
/** An error that lacks a fact of its message does not compile. */
export const ToolError: {
  new <Code extends ErrorCode>(
    code: Code,
    ...more: ErrorFacts extends FactsFor<Code>
      ? [facts?: ErrorFacts, options?: ErrorOptions]
      : [facts: FactsFor<Code> & ErrorFacts, options?: ErrorOptions]
  ): CodedError;
  readonly prototype: CodedError;
  again: typeof CodedError.again;
} = CodedError;

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

/** True for errors in the user's input. */
export const isUsageCode = (code: string): boolean => Object.hasOwn(USAGE_MESSAGES, code);

export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof ToolError)) return EXIT.failure;
  if (error.code === 'interrupted') return EXIT.interrupted;
  return isUsageCode(error.code) ? EXIT.usage : EXIT.failure;
}
