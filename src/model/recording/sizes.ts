/** How the bytes of recorded messages are counted: what a process of their runtime is asked, and what it answers. */
import type { Channel } from '../names.ts';

export interface ByteRequest {
  /** Body of a function that makes the message, by `bytesModuleOf`. */
  body: string;
  /** Bytes of buffers that it does not make, and of what views show of them. */
  left: { buffers: number; views: number };
  /** How it is written: in a process, or to another. */
  channel: Extract<Channel, 'worker' | 'ipc-advanced' | 'ipc-json'>;
  /** JSON text has a view's bytes as a list. */
  listsViews: boolean;
}

/** `error`: half width of the 95 % interval, as a share. Null for a message that has no size. */
export type SizedSample = { bytes: number; error: number } | null;
