/** Counters of all threads of a process, in one memory. Each thread has a seat in it, which its parent reserves. */
import { COUNTERS_MAGIC, HEADER, progressOf, THREAD_FIELDS } from '../../core/recording/threads/counters.ts';
import { workerThreads } from './builtins.ts';

const SEATS = 40;
const COUNTERS_BYTES = SEATS * THREAD_FIELDS * 8;

/** What a seat is. */
const FREE = 0;
const TAKEN = 1;
const ENDED = 2;

const { compareExchange, store } = Atomics;
const Doubles = Float64Array;

export class ThreadMemory {
  readonly memory: SharedArrayBuffer;
  readonly #states: Int32Array;

  constructor(memory = new SharedArrayBuffer(COUNTERS_BYTES + SEATS * 4)) {
    this.memory = memory;
    this.#states = new Int32Array(memory, COUNTERS_BYTES, SEATS);
  }

  /** -1 where all are taken. Seats of threads that have ended come last: their parent may still post to them. */
  reserve(): number {
    const seat = this.#take(FREE);
    if (seat >= 0) return seat;
    const used = this.#take(ENDED);
    if (used >= 0) this.counters(used).fill(0);
    return used;
  }

  #take(state: number): number {
    for (let seat = 0; seat < SEATS; seat++)
      if (compareExchange(this.#states, seat, state, TAKEN) === state) return seat;
    return -1;
  }

  /** Its thread has written its counters. */
  end(seat: number): void {
    if (seat >= 0) store(this.#states, seat, ENDED);
  }

  counters(seat: number): Float64Array {
    return new Doubles(this.memory, seat * THREAD_FIELDS * 8, THREAD_FIELDS);
  }

  /** Seats of threads that have counted since they were last written. */
  changed(): Float64Array[] {
    const changed: Float64Array[] = [];
    for (let seat = 0; seat < SEATS; seat++) {
      const counters = this.counters(seat);
      // Reserved for a thread that has not started: it has no name yet.
      const isNamed = counters[HEADER.magic] === COUNTERS_MAGIC;
      if (isNamed && progressOf(counters) !== counters[HEADER.written]) changed[changed.length] = counters;
    }
    return changed;
  }
}

/** There only until its own code runs. */
const HANDOVER = 'clone-prof: thread';
const { getEnvironmentData, setEnvironmentData } = workerThreads;

/** What a worker gets from the thread that starts it. */
interface Handover {
  memory: SharedArrayBuffer;
  seat: number;
  parent: number;
  /** File of the worker; null for code given as text. */
  file: string | null;
}

/** Starts a worker with a seat, -1 where all are taken. It gets `handover`, unless that is null. */
export function withSeat<T>(
  memory: ThreadMemory,
  handover: (seat: number) => Handover | null,
  start: (seat: number) => T,
): T {
  const seat = memory.reserve();
  setEnvironmentData(HANDOVER, (handover(seat) ?? undefined) as never);
  try {
    return start(seat);
  } catch (error) {
    memory.end(seat);
    throw error;
  } finally {
    setEnvironmentData(HANDOVER);
  }
}

/** Once: null for a thread of another recorder, or of none. */
export function handedOver(): Handover | null {
  const given = getEnvironmentData(HANDOVER) as Handover | undefined;
  setEnvironmentData(HANDOVER);
  return given ?? null;
}
