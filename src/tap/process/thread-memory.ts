/** Counters of all threads of a process, in one memory. Each thread has a seat in it, which its parent reserves. */
import { COUNTERS_MAGIC, HEADER, progressOf, THREAD_FIELDS } from '../../core/recording/threads/counters.ts';
import { onRead } from '../channels/watch.ts';
import { log } from '../records/thread-log.ts';
import { workerThreads } from './builtins.ts';
import { writeCounters } from './files.ts';

const SEATS = 40;
const COUNTERS_BYTES = SEATS * THREAD_FIELDS * 8;

/** States of a seat. */
const FREE = 0;
const TAKEN = 1;
const ENDED = 2;

/** There only until a worker's own code runs. */
const HANDOVER = 'clone-prof: thread';
const { getEnvironmentData, setEnvironmentData } = workerThreads;

/** Data that a worker gets from the thread that starts it. */
interface Handover {
  memory: SharedArrayBuffer;
  /** -1: all were taken. */
  seat: number;
  parent: number;
  /** File of the worker; null for code given as text. */
  file: string | null;
}

/** Returns the handover once; null for a thread that this recorder did not start. */
export function handedOver(): Handover | null {
  const given = getEnvironmentData(HANDOVER) as Handover | undefined;
  setEnvironmentData(HANDOVER);
  return given ?? null;
}

const { compareExchange, store } = Atomics;
const Doubles = Float64Array;

export class ThreadMemory {
  readonly #memory: SharedArrayBuffer;
  readonly #states: Int32Array;
  /** Seat of this thread. */
  readonly #seat: number;

  /** A thread without a seat gets a separate memory. */
  constructor(given: Handover | null) {
    const isGiven = given !== null && given.seat >= 0;
    this.#memory = isGiven ? given.memory : new SharedArrayBuffer(COUNTERS_BYTES + SEATS * 4);
    this.#states = new Int32Array(this.#memory, COUNTERS_BYTES, SEATS);
    this.#seat = isGiven ? given.seat : this.#reserve();
  }

  get own(): Float64Array {
    return this.#counters(this.#seat);
  }

  /** null for seat -1. */
  at(seat: number): Float64Array | null {
    return seat < 0 ? null : this.#counters(seat);
  }

  /** Hands the memory to the worker that is made next. @returns its seat, -1 if all are taken */
  handOver(parent: number, file: string | null): number {
    const seat = this.#reserve();
    setEnvironmentData(HANDOVER, { memory: this.#memory, seat, parent, file });
    return seat;
  }

  /** It was made, or could not be. */
  handedTo(seat: number, isMade: boolean): void {
    setEnvironmentData(HANDOVER);
    if (!isMade) this.#end(seat);
  }

  /**
   * Writes all counters when the process ends: Node and Deno read `emit` then. The program could count a listener.
   *
   * @returns function to call if the thread ends differently
   */
  watchEnd(): () => void {
    const end = () => {
      log.end();
      this.#end(this.#seat);
    };
    onRead(process, 'emit', () => {
      if ((process as { _exiting?: boolean })._exiting === true) end();
    });
    return end;
  }

  /** Writes counters of all threads that have counted since they were last written. */
  write(folder: string): void {
    for (let seat = 0; seat < SEATS; seat++) {
      const counters = this.#counters(seat);
      // A seat that is reserved for a thread that has not started does not have a name yet.
      const isNamed = counters[HEADER.magic] === COUNTERS_MAGIC;
      if (isNamed && progressOf(counters) !== counters[HEADER.written]) writeCounters(folder, counters);
    }
  }

  /** -1 if all are taken. Seats of threads that have ended come last: their parent may still post to them. */
  #reserve(): number {
    const seat = this.#take(FREE);
    if (seat >= 0) return seat;
    const used = this.#take(ENDED);
    if (used >= 0) this.#counters(used).fill(0);
    return used;
  }

  #take(state: number): number {
    for (let seat = 0; seat < SEATS; seat++)
      if (compareExchange(this.#states, seat, state, TAKEN) === state) return seat;
    return -1;
  }

  #end(seat: number): void {
    if (seat >= 0) store(this.#states, seat, ENDED);
  }

  #counters(seat: number): Float64Array {
    return new Doubles(this.#memory, seat * THREAD_FIELDS * 8, THREAD_FIELDS);
  }
}
