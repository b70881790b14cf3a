import type { Endpoint } from './endpoint.ts';

/** What a message asks of the peer. */
export const ANSWER = 0;
/** Build a fresh value for this variant and say so. */
export const PREPARE = 1;
/** Take one message and time it: see `take.ts`. */
export const RECEIVE = 2;
/** Last order: hand in what was gathered. */
export const FINISH = 3;

/**
 * Tells the peer what the next message is, beside the message and not in it: an envelope would change the very path
 * that is measured.
 */
export interface Instructions {
  /** True when each message must be announced by another. */
  readonly announces: boolean;
  /** Post an order that is a message itself. */
  post(lane: Endpoint, order: number, variant: number): void;
  /** The next message on the lane is the variant's own. */
  expect(variant: number): void;
}

/** How the peer reads them: call `read` for each message, then look at the fields. */
export interface InstructionReader {
  instruction: number;
  variant: number;
  read(data: unknown): void;
}

const ORDER = 0;
const VARIANT = 1;
const READY = 2;
const POSTED = 3;
const TAKEN = 4;
const DURATION_BYTE = 24;
const BYTES = 32;

const WAITING = 0;
const DONE = 1;
const GIVEN_UP = 2;

/** A terminated worker is only sure to end between two short waits. */
const NAP_MS = 100;

/** Between threads: a block of shared words. Posting a message orders the plain stores before it. */
export class SharedInstructions implements Instructions, InstructionReader {
  readonly announces = false;
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #duration: Float64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(BYTES)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
    this.#duration = new Float64Array(memory, DURATION_BYTE, 1);
  }

  post(lane: Endpoint, order: number, variant: number): void {
    this.#words[ORDER] = order;
    this.#words[VARIANT] = variant;
    lane.post('');
  }

  expect(variant: number): void {
    this.#words[ORDER] = ANSWER;
    this.#words[VARIANT] = variant;
  }

  get instruction(): number {
    return this.#words[ORDER] as number;
  }

  get variant(): number {
    return this.#words[VARIANT] as number;
  }

  read(): void {
    // The words are read where they lie.
  }

  /** Sender, before TAKE is given: nobody waits, nothing is posted or taken yet. */
  clear(): void {
    for (const word of [READY, POSTED, TAKEN]) Atomics.store(this.#words, word, WAITING);
  }

  /** Sender: true once the peer has stopped to wait for the message, false after `ms` of blocking. */
  awaitReady(ms: number): boolean {
    return waitFor(this.#words, READY, ms);
  }

  /** Sender: the message is in the peer's queue, or never will be. */
  handOver(posted: boolean): void {
    Atomics.store(this.#words, POSTED, posted ? DONE : GIVEN_UP);
    Atomics.notify(this.#words, POSTED);
  }

  /** Peer: blocks the thread until the message is queued; false when the sender has given up. */
  awaitPosted(): boolean {
    Atomics.store(this.#words, READY, DONE);
    Atomics.notify(this.#words, READY);
    while (!waitFor(this.#words, POSTED, NAP_MS));
    return Atomics.load(this.#words, POSTED) === DONE;
  }

  /** Peer: the message was taken in that many ns; negative when that failed. */
  report(ns: number): void {
    this.#duration[0] = ns;
    Atomics.store(this.#words, TAKEN, DONE);
    Atomics.notify(this.#words, TAKEN);
  }

  /** Sender: true once the message was taken, false after `ms` of blocking. */
  awaitTaken(ms: number): boolean {
    return waitFor(this.#words, TAKEN, ms);
  }

  get duration(): number {
    return this.#duration[0] as number;
  }
}

/** True when the word is no longer WAITING. */
function waitFor(words: Int32Array, word: number, ms: number): boolean {
  return Atomics.load(words, word) !== WAITING || Atomics.wait(words, word, WAITING, ms) !== 'timed-out';
}

/**
 * Between processes: each message is announced by a small one, and sent when the peer has answered that. The token
 * marks an order: the message that was announced may never come, when it turns out that it cannot be sent.
 */
export class PostedInstructions implements Instructions {
  readonly announces = true;
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  post(lane: Endpoint, order: number, variant: number): void {
    lane.post([this.#token, order, variant]);
  }

  expect(): void {
    // Announced by `give(PREPARE)` before.
  }
}

export class PostedInstructionReader implements InstructionReader {
  instruction = ANSWER;
  variant = -1;
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  read(data: unknown): void {
    this.instruction = ANSWER;
    if (!Array.isArray(data) || data[0] !== this.#token) return;
    [, this.instruction, this.variant] = data as [string, number, number];
  }
}
