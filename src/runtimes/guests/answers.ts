/** Checks all of a message, or throws a Mismatch: user code shares the process of its guest. */
import * as s from '../../model/schema.ts';
import { ANSWERS, failedSchema, type Hello, helloSchema } from '../../model/wire/answers.ts';
import { type AnswerTo, type Failed, type GuestRequest, STAGES, type Stage } from '../../model/wire/wire.ts';

/** Thousands of long patterns, or of exports. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Millions of samples. A line is held twice while it is put together. */
const MAX_BYTES_OF_SAMPLES = 64 * 1024 * 1024;

export const mostBytesOf = ({ type }: GuestRequest): number =>
  type === 'measure' ? MAX_BYTES_OF_SAMPLES : MAX_BYTES;

export class Mismatch extends Error {
  override name = 'Mismatch';
}

/** ".proofs[0].equality: invalid value". The messages of zod itself depend on what else is loaded. */
const mismatchText = ({ path, code, message }: s.Issue): string =>
  `${s.pathText(path)}: ${code === 'custom' ? message : code.replace('_', ' ')}`;

/** Ends at the first fault: a list of millions may have millions. @throws Mismatch */
function checked<T>(schema: s.Schema<T>, message: unknown): T {
  const terms: s.Terms = { abortEarly: true };
  const result = s.safeParse(schema, message, terms);
  if (result.success) return result.data;
  throw new Mismatch(mismatchText(result.error.issues[0]!));
}

export function messageIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Mismatch('it is not JSON');
  }
}

export const helloIn = (message: unknown): Hello => checked(helloSchema, message);

const numbered = s.object({ id: s.number(), type: s.string() });
const progress = s.object({ stage: s.oneOf(STAGES) });

export const subjectOf = (message: unknown): { id: number; type: string } => checked(numbered, message);

export const stageIn = (message: unknown): Stage => checked(progress, message).stage;

export function answerTo(request: GuestRequest, message: unknown): AnswerTo<GuestRequest['type']> | Failed {
  if (subjectOf(message).type === 'failed') return checked(failedSchema, message);
  const schemaFor = ANSWERS[request.type] as (
    request: GuestRequest,
  ) => s.Schema<AnswerTo<GuestRequest['type']>>;
  return checked(schemaFor(request), message);
}
