/** Messages that leave the page, and when: records as they are, and what was counted as a whole. */

import type { PageState } from '../../model/documents/recorded/thread-file.ts';
import { PAGE_MESSAGES } from '../../model/recording/page-tap.ts';
import { governor } from '../messages/governor.ts';
import * as kept from '../realm/intrinsics.ts';
import { counters } from '../realm/platform.ts';
import { recordText } from '../records/record-text.ts';

export type Send = (message: string) => void;

/** The part of the state that says where the recorder runs. */
export type Place = Pick<PageState, 'kind' | 'file' | 'at'>;

/** Messages with workers of one address. */
export interface WorkerLink {
  readonly address: string;
  /** Sent, and received. */
  readonly counts: Float64Array;
}

const MAX_LINKS = 64;

export class Outbox {
  readonly #send: Send;
  readonly #place: () => Place;
  readonly #links: WorkerLink[] = [];
  /** State that was sent last. */
  #told = '';

  constructor(send: Send, place: () => Place) {
    this.#send = send;
    this.#place = place;
  }

  /** null if there are too many addresses. */
  link(address: string): WorkerLink | null {
    const links = this.#links;
    for (let i = 0; i < links.length; i++) if (links[i]!.address === address) return links[i]!;
    if (links.length === MAX_LINKS) return null;
    const link = { address, counts: new Float64Array(2) };
    links[links.length] = link;
    return link;
  }

  append(lines: string): void {
    this.#send(PAGE_MESSAGES.records + lines);
  }

  writeCounters(): void {
    const { kind, file, at } = this.#place();
    const state: PageState = { file, at, counters: [], workers: [] };
    if (kind !== undefined) state.kind = kind;
    for (let i = 0; i < counters.length; i++) {
      const value = counters[i]!;
      if (value !== 0 && kept.isFiniteNumber(value)) state.counters[state.counters.length] = [i, value];
    }
    for (let i = 0; i < this.#links.length; i++) {
      const { address, counts } = this.#links[i]!;
      state.workers[i] = [address, counts[0]!, counts[1]!];
    }
    const text = recordText(state);
    if (text !== this.#told) this.#send(PAGE_MESSAGES.state + text);
    this.#told = text;
  }
}

/** Part of the thread's time for sending at once: milliseconds at the start, and a share. */
const AT_ONCE_MS = 20;
const SHARE = 0.02;
const LATER_MS = 50;

const { scheduler, queueMicrotask: atEnd } = globalThis as typeof globalThis & {
  scheduler: { postTask(run: () => void, options: { delay: number }): unknown };
};
const postTask = kept.unbound(scheduler.postTask);

/**
 * Sends the counters soon, because a worker may be terminated, and a page left: at the end of the running task if that
 * costs little, else by the scheduler, because its tasks, unlike timers, have no numbers that the page could see.
 *
 * @returns function to call after each count
 */
export function flusherOf(flush: () => void): () => void {
  const atOnce = governor(kept.now(), AT_ONCE_MS, SHARE);
  let isDue = false;
  const run = () => {
    isDue = false;
    const from = kept.now();
    flush();
    atOnce.spentMs += kept.now() - from;
  };
  return () => {
    if (isDue) return;
    isDue = true;
    if (atOnce.left(kept.now()) > 0) atEnd(run);
    else postTask(scheduler, run, { delay: LATER_MS });
  };
}
