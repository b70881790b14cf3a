/** Messages between the host and the recorder in a page, a frame or a worker. */
import type { TapSettings } from './settings.ts';

export interface PageTapSettings extends TapSettings {
  /** Name of the function that sends messages to the host. The recorder removes it before code of the page runs. */
  binding: string;
  /** Address of a worker's script; null in a document. */
  worker: string | null;
}

/** First letters of messages to the host, which treats the messages as untrusted input. */
export const PAGE_MESSAGES = {
  /** `PageState`, sent first, and again when it has changed: it replaces the one before. */
  state: 's',
  /** Lines of a thread file. */
  records: 'r',
} as const;
