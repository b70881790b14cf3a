/** Sizing of recorded messages: the request to a process of their runtime, and its answer. Sizes in bytes. */
import type { Channel } from '../names.ts';

export interface ByteRequest {
  /** Body of a function that makes the message, written by `bytesModuleOf`. */
  body: string;
  /** Bytes of buffers that the function does not make, and the part of them that views show. */
  left: { buffers: number; views: number };
  /** Kind of serialization: within a process, or to another process. */
  channel: Extract<Channel, 'worker' | 'ipc-advanced' | 'ipc-json'>;
  /** True if JSON text writes the bytes of a view as a list. */
  listsViews: boolean;
}

/** `error`: half width of the 95 % interval, as a share. Null for a message without a known size. */
export type SizedSample = { bytes: number; error: number } | null;
