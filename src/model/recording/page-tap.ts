/** What the host and the recorder in a page, a frame or a worker of it say to each other. */
import type { EngineName } from '../names.ts';
import type { TapSettings } from './settings.ts';

export interface PageTapSettings extends Omit<TapSettings, 'root'> {
  /** Name of the function that takes messages to the host. The recorder removes it before code of the page runs. */
  binding: string;
  /** Address of a worker's script, '' where it is not known; null in a document. */
  worker: string | null;
}

/** In browsers that are not driven: the page comes through a proxy, which puts the recorder into it. */
export interface SocketTapSettings extends Omit<PageTapSettings, 'binding'> {
  /** Address of the socket that takes messages to the host, without the document or worker at its end. */
  socket: string;
  id: string;
  /** Who has started a dedicated worker. */
  parent: string | null;
  /** Address of the recorder for workers whose scripts do not come through the proxy, without its number at the end. */
  scripts: string;
  /** How far the first line of a worker's script was moved. */
  moved: number;
  /** No dialog can be answered. */
  isHeadless: boolean;
  engine: EngineName;
}

/** Text that the host sends: the recording ends. */
export const END = 'end';

/** Part of the address of the recorder: frames with it are its own. */
export const OWN_ADDRESS = 'clone-prof:recorder';

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
  /** `NewWorker`: so that the proxy knows what it is asked for. */
  worker: 'n',
  /** What a worker has told its parent: `<id> <time origin> <number> <message>`. */
  passedOn: 'p',
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

/** `type`: null where it is not known. */
export type NewWorker = [address: string, type: 'module' | 'classic' | null];
