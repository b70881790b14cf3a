/**
 * A message that is followed from its post until the thread of its receiver takes it: one at a time for each direction between
 * a worker and its parent, in the counters of the worker, which both threads share. This runs in recorded programs too, so it
 * calls nothing that they may have changed.
 */
import { GROUP, groupStart, MAX_GROUPS, WAIT_STEPS, waitStep } from './counters.ts';

/** Times are ms of a clock that all threads of a process share. */
export const WAY = {
  /** Which message of this direction, from 1; 0: none is followed. */
  number: 0,
  /** Counter of the sender that it is of. */
  counter: 1,
  /** When the call began and ended; written by the sender. */
  from: 2,
  to: 3,
  /** When the receiver's thread took it, and how long it was receiving others since `from`; written by the receiver. */
  taken: 4,
  receivingMs: 5,
  /** When the receiver had its first listener; 0 where it always takes what comes. */
  listening: 6,
} as const;

/** Written before the call: the receiver may take the message before that returns. */
export function follow(
  fields: Float64Array,
  way: number,
  number: number,
  counter: number,
  from: number,
): void {
  fields[way + WAY.counter] = counter;
  fields[way + WAY.from] = from;
  fields[way + WAY.to] = fields[way + WAY.taken] = fields[way + WAY.receivingMs] = 0;
  fields[way + WAY.number] = number;
}

/** Adds a message that has arrived to the counters of its sender: the next may be followed. */
export function collect(fields: Float64Array, way: number, sender: Float64Array): void {
  const taken = fields[way + WAY.taken]!;
  const to = fields[way + WAY.to]!;
  const counter = fields[way + WAY.counter]!;
  if (fields[way + WAY.number] === 0 || taken === 0 || to === 0) return;
  fields[way + WAY.number] = 0;
  if (counter < 0 || counter >= MAX_GROUPS || counter % 1 !== 0) return;
  const ms = taken > to ? taken - to : 0;
  const ready = fields[way + WAY.listening]!;
  const unready = ready > to ? least(ms, ready - to) : 0;
  const receiving = least(ms - unready, fields[way + WAY.receivingMs]!);
  const at = groupStart(counter);
  sender[at + GROUP.followed]!++;
  sender[at + GROUP.waitSumNs]! += ms * 1e6;
  if (ms * 1e6 > sender[at + GROUP.waitMaxNs]!) sender[at + GROUP.waitMaxNs] = ms * 1e6;
  sender[at + GROUP.unreadyNs]! += unready * 1e6;
  sender[at + GROUP.receivingNs]! += receiving * 1e6;
  let step = 0;
  while (step < WAIT_STEPS - 1 && ms * 1e6 >= waitStep(step + 1)) step++;
  sender[at + GROUP.waits + step]!++;
}

const least = (a: number, b: number): number => (a < b ? a : b);
