import type { Endpoint } from '../../platform/common/platform.ts';
import { currentPlatform } from '../../platform/current.ts';

/** Restore the message and answer with an own one. */
export const ANSWER = 0;
/** Build a fresh value for this variant, then report that it is ready. */
export const PREPARE = 1;
/** Receive messages and time it: see `ReceiveTimer`. */
export const RECEIVE = 2;
/** Last instruction: post the results. */
export const FINISH = 3;
/** Receive messages once all of them are queued, and keep what they bring. */
export const RETAIN = 4;

/**
 * Both ends of the instructions, which announce the next message to the peer. An envelope around the message would
 * change the measured path. The peer calls `read` for each message, then reads the fields.
 */
export type Instructions = SharedInstructions | PostedInstructions;

const INSTRUCTION = 0;
const VARIANT = 1;
const READY = 2;
const POSTED = 3;
const RECEIVED = 4;
const MESSAGES = 5;
const DURATION_BYTE = 24;
const BYTES = 32;

const WAITING = 0;
const DONE = 1;
const GIVEN_UP = 2;

/**
 * Time for which the sender blocks between two turns of the event loop, ms. A turn notices the end of the peer, and
 * older Bun (seen to 1.3.9) delivers broadcast messages in it.
 */
const BLOCKED_MS = 2;

/** Between two short waits a terminated worker is sure to end. */
const WAIT_MS = 100;

/** Only isolated pages have it; WebKit needs an option too. */
export const hasSharedMemory = (): boolean => typeof SharedArrayBuffer === 'function';

/** Between threads, in shared memory. Posting a message orders the plain stores before it. */
export class SharedInstructions {
  /** Each block of messages must be announced by another. */
  readonly announces = false;
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #duration: Float64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
    this.#duration = new Float64Array(memory, DURATION_BYTE, 1);
  }

  /** Posts an instruction that is a message itself. */
  post(endpoint: Endpoint, instruction: number, variant: number): void {
    this.#words[INSTRUCTION] = instruction;
    this.#words[VARIANT] = variant;
    endpoint.post('');
  }

  /** The next message on the endpoint is the variant's own. */
  expect(variant: number): void {
    this.#words[INSTRUCTION] = ANSWER;
    this.#words[VARIANT] = variant;
  }

  get instruction(): number {
    return this.#words[INSTRUCTION] as number;
  }

  get variant(): number {
    return this.#words[VARIANT] as number;
  }

  /** Number of messages that follow a RECEIVE or RETAIN. Set it before `post`; later only before `reportPosted`. */
  get messages(): number {
    return this.#words[MESSAGES] as number;
  }

  set messages(count: number) {
    this.#words[MESSAGES] = count;
  }

  read(_data: unknown): void {
    // The getters read the shared memory.
  }

  /** Sender, before it posts RECEIVE: resets the three states. */
  reset(): void {
    for (const word of [READY, POSTED, RECEIVED]) Atomics.store(this.#words, word, WAITING);
  }

  /** Sender: true once the peer waits for the message, false after BLOCKED_MS. */
  awaitReady(): boolean {
    return waitFor(this.#words, READY, BLOCKED_MS);
  }

  /** Sender: the message is in the peer's queue, or will not come. */
  reportPosted(posted: boolean): void {
    Atomics.store(this.#words, POSTED, posted ? DONE : GIVEN_UP);
    Atomics.notify(this.#words, POSTED);
  }

  /** Peer: blocks the thread until the message is queued; false when the sender has given up. */
  awaitPosted(): boolean {
    Atomics.store(this.#words, READY, DONE);
    Atomics.notify(this.#words, READY);
    while (!waitFor(this.#words, POSTED, WAIT_MS));
    return Atomics.load(this.#words, POSTED) === DONE;
  }

  /** Peer: receiving took this many ns; negative when it failed. */
  reportReceived(ns: number): void {
    this.#duration[0] = ns;
    Atomics.store(this.#words, RECEIVED, DONE);
    Atomics.notify(this.#words, RECEIVED);
  }

  /** Sender: true once the message was received, false after BLOCKED_MS. */
  awaitReceived(): boolean {
    return waitFor(this.#words, RECEIVED, BLOCKED_MS);
  }

  /** ns, after `awaitReceived`. */
  get duration(): number {
    return this.#duration[0] as number;
  }
}

/** True when the word is no longer WAITING. It answers at once if this thread must not block. */
function waitFor(words: Int32Array, word: number, ms: number): boolean {
  if (Atomics.load(words, word) !== WAITING) return true;
  return currentPlatform().mayBlock && Atomics.wait(words, word, WAITING, ms) !== 'timed-out';
}

/**
 * Between processes, and threads that share no memory: a small message announces each block of messages, which begins when
 * the peer has answered. The token marks an instruction, because an announced message may fail to be posted.
 */
export class PostedInstructions {
  readonly announces = true;
  instruction = ANSWER;
  variant = -1;
  messages = 1;
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  post(endpoint: Endpoint, instruction: number, variant: number): void {
    endpoint.post([this.#token, instruction, variant, this.messages]);
  }

  expect(_variant: number): void {
    // PREPARE has announced it.
  }

  read(data: unknown): void {
    this.instruction = ANSWER;
    if (!Array.isArray(data) || data[0] !== this.#token) return;
    [, this.instruction, this.variant, this.messages] = data as [string, number, number, number];
  }
}
