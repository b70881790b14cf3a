/**
 * What a guest may answer to each request. User code shares its process, so nothing is believed unchecked: not the type
 * of an answer, its fields and numbers, nor the length of its texts. Where the host knows a part of the answer from its
 * request, it takes its own.
 */
import { ANSWERS, failed, type Hello, hello } from '../../model/wire/answers.ts';
import { type Check, exact, Mismatch, number, object, oneOf } from '../../model/wire/schema.ts';
import { STAGES, type Stage } from '../../model/wire/stage.ts';
import type { AnswerTo, Failed, GuestRequest, RequestOf } from '../../model/wire/wire.ts';

/** Thousands of long patterns, or of exports. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Millions of samples. A line is held once before it is parsed, so that the host stays below 150 MB. */
const MAX_BYTES_OF_SAMPLES = 64 * 1024 * 1024;

/** The longest answer to a request. */
export const mostBytesOf = ({ type }: GuestRequest): number =>
  type === 'measure' ? MAX_BYTES_OF_SAMPLES : MAX_BYTES;

const decoder = new TextDecoder();

/** The message in bytes of a guest, unchecked. @throws Mismatch */
export function messageIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new Mismatch('it is not JSON');
  }
}

/** @throws Mismatch */
export const helloIn = (bytes: Uint8Array): Hello => hello(messageIn(bytes));

const numbered = object({ id: number, type: exact });
const progress = object({ stage: oneOf(STAGES) });

/** The stage that has begun; null for any other message. @throws Mismatch */
export const stageOf = (message: unknown): Stage | null =>
  numbered(message).type === 'progress' ? progress(message).stage : null;

/** The request that a message says it answers. @throws Mismatch */
export const idOf = (message: unknown): number => numbered(message).id;

/** @throws Mismatch */
export function answerTo(request: GuestRequest, message: unknown): AnswerTo<GuestRequest['type']> | Failed {
  if (numbered(message).type === 'failed') return failed(message);
  const answers: { [K in GuestRequest['type']]: (request: RequestOf<K>) => Check<AnswerTo<K>> } = ANSWERS;
  const answer = answers[request.type] as (asked: GuestRequest) => Check<AnswerTo<GuestRequest['type']>>;
  return answer(request)(message);
}
