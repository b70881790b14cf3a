/** Messages between the host and the recorder in a page, a frame or a worker. */
import type { TapSettings } from './settings.ts';

export interface PageTapSettings extends TapSettings {
  /** Name of the function that sends messages to the host. The recorder removes it before code of the page runs. */
  binding: string;
  /** Address of a worker's script; null in a document. */
  worker: string | null;
}

/** Prefixes of messages to the host, which treats the messages as untrusted input. */
export const PAGE_MESSAGES = {
  /** PageStarted, sent first, and sent again when the address is known. */
  started: 's',
  /** Lines of a thread file. */
  records: 'r',
  /** `[index, value, index, value...]`: counters that have changed. */
  counters: 'c',
  /** `WorkerTraffic[]` */
  workers: 'w',
} as const;

export interface PageStarted {
  /** Absent in a worker. */
  kind?: 'page' | 'iframe';
  /** Address of a document, in the form that `addressOf` returns. */
  file: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Messages between a document or worker and the workers that it started from one address: counts since its start. */
export type WorkerTraffic = [address: string, sent: number, received: number];
