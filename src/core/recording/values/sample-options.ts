/** Options of a recorded message: the values that are kept, and their form. */
import type { Probe } from '../../describe/inspect/probe.ts';
import type { Chance } from './masks.ts';

/** Values that are replaced by others of their class: all, texts and keys that are data, or none. */
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
