/** Options of a recorded message: the values that are kept, and their form. */
import type { KeptValues } from '../../../model/recording/recording.ts';
import type { Probe } from '../../describe/inspect/probe.ts';
import type { Chance } from './masks.ts';

export interface SampleOptions {
  probe: Pick<Probe, 'types' | 'storage'>;
  /** Replaced by others of their class are all values (none is kept), or texts and keys that are data. */
  values: KeptValues;
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
