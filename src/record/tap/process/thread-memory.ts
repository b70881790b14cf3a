/**
 * Counters of a thread, in memory that it shares with the thread that started it: each writes those of the other too,
 * as a thread may be terminated, and the process may be killed while one of them is busy.
 */
import { HANDOVER } from '../../../model/recording/settings.ts';
import { COUNTERS_MAGIC, HEADER, progressOf, THREAD_FIELDS } from '../../threads/counters.ts';
import { workerThreads } from './builtins.ts';
import type { Compiled } from './compiled.ts';
import { writeCounters } from './files.ts';

/** The latest workers whose counters a thread writes. */
const WORKERS = 64;

const { getEnvironmentData, setEnvironmentData } = workerThreads;

export interface Handover {
  counters: Float64Array;
  ofParent: Float64Array;
  parent: number;
  /** File of the worker; null for code given as text. */
  file: string | null;
  compiled: Compiled | undefined;
}

/** Returns the handover once; null for a thread that this recorder did not start. */
export function handedOver(): Handover | null {
  const given = getEnvironmentData(HANDOVER) as Handover | undefined;
  setEnvironmentData(HANDOVER);
  return given ?? null;
}

const Doubles = Float64Array;
const Shared = SharedArrayBuffer;
const fresh = (): Float64Array => new Doubles(new Shared(THREAD_FIELDS * 8));

export class ThreadMemory {
  readonly own: Float64Array;
  readonly #parent: Float64Array | null;
  readonly #workers: Float64Array[] = [];
  #started = 0;

  constructor(given: Handover | null) {
    this.own = given?.counters ?? fresh();
    this.#parent = given?.ofParent ?? null;
  }

  /** Returns counters for the worker that is made next, which gets them. */
  handOver(parent: number, file: string | null, compiled?: Compiled): Float64Array {
    const counters = fresh();
    setEnvironmentData(HANDOVER, { counters, ofParent: this.own, parent, file, compiled });
    return counters;
  }

  /** @param counters null: the worker could not be made */
  handedTo(counters: Float64Array | null): void {
    setEnvironmentData(HANDOVER);
    if (counters !== null) this.#workers[this.#started++ % WORKERS] = counters;
  }

  write(folder: string): void {
    writeChanged(folder, this.own);
    if (this.#parent !== null) writeChanged(folder, this.#parent);
    for (let i = 0; i < this.#workers.length; i++) writeChanged(folder, this.#workers[i]!);
  }
}

function writeChanged(folder: string, counters: Float64Array): void {
  // A thread that has not started does not have a name yet.
  const isNamed = counters[HEADER.magic] === COUNTERS_MAGIC;
  if (isNamed && progressOf(counters) !== counters[HEADER.written]) writeCounters(folder, counters);
}
