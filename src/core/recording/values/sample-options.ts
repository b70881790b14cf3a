/** What of a message is kept, and how. */
import type { Probe } from '../../describe/inspect/probe.ts';
import type { Chance } from './masks.ts';

/** What is replaced by others of its class: everything, texts and keys that are data, or nothing. */
export type Mask = 'all' | 'texts' | 'none';

export interface SampleOptions {
  probe: Pick<Probe, 'types' | 'storage'>;
  mask: Mask;
  chance: Chance;
  /** About how many values may be visited. */
  nodes: number;
  /** Bytes of content that is kept. */
  maxBytes: number;
  /** Buffers in the transfer list. */
  listed?: readonly unknown[];
  /** Elements of views are written as JSON text: their digits are counted. */
  isText?: boolean;
}
