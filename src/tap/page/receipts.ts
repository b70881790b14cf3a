/**
 * What arrives, counted by listeners of ours. None is added where it would change when an object is collected (BroadcastChannel)
 * or when its messages begin to arrive (a port before it is started).
 */
import { HEADER } from '../../core/recording/threads/counters.ts';
import { apply, getOwnPropertyDescriptor, unbound, Weak, weakGet, weakSet } from '../realm/intrinsics.ts';
import type { WorkerLink } from './outbox.ts';
import type { PageTap } from './posts.ts';
import { watchCalls } from './replace.ts';

type Listener = (event: object) => void;
export const listen = unbound(EventTarget.prototype.addEventListener) as unknown as (
  target: unknown,
  type: string,
  listener: Listener,
  capture?: boolean,
) => void;

const originOf = getOwnPropertyDescriptor(MessageEvent.prototype, 'origin')?.get;

export class Receipts {
  readonly #tap: PageTap;
  readonly #ports = new Weak<object, true>();

  constructor(tap: PageTap) {
    this.#tap = tap;
  }

  ofWorker(worker: object, link: WorkerLink): void {
    const { flusher } = this.#tap;
    listen(worker, 'message', () => {
      link.received++;
      flusher.due();
    });
  }

  /** Messages from the thread that started this one. */
  ofWorkerScope(): void {
    listen(globalThis, 'message', () => this.#count(HEADER.downReceived));
  }

  /** Messages from documents of the same origin: those of others are posted where the recorder cannot see it. */
  ofWindow(origin: string, onForeign: () => void): void {
    listen(globalThis, 'message', (event) => {
      if (originOf && apply(originOf, event, []) === origin) this.#count(HEADER.upReceived);
      else onForeign();
    });
  }

  ofPorts(prototype: object): void {
    const before = (port: unknown) => {
      try {
        if (weakGet(this.#ports, port as object)) return;
        weakSet(this.#ports, port as object, true);
        listen(port, 'message', () => this.#count(HEADER.portsReceived));
      } catch {
        // No port: the call throws.
      }
    };
    watchCalls(prototype, 'onmessage', { before }, 'set');
    watchCalls(prototype, 'start', { before });
  }

  #count(field: number): void {
    this.#tap.counters[field]!++;
    this.#tap.flusher.due();
  }
}
