/** Messages between the host and the recorder in a page, a frame or a worker. */
import type { TapSettings } from './settings.ts';

export interface PageTapSettings extends TapSettings {
  /** Name of the function that takes messages to the host. The recorder removes it before code of the page runs. */
  binding: string;
  /** Address of a worker's script; null in a document. */
  worker: string | null;
}

/** Prefix of a message to the host, which treats it as untrusted input. */
export const PAGE_MESSAGES = {
  /** PageStarted, first of all; again when the address is known. */
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
  /** Address of a document, as `addressOf` has it. */
  file: string | null;
  /** Milliseconds since 1970. */
  at: number;
}

/** Between a document or worker and the workers that it has started from one address: counts since its start. */
export type WorkerTraffic = [address: string, sent: number, received: number];
