/** How often something happened over time: a row of columns for each. */
import type { RecordedMessages } from '../../../model/documents/recording.ts';
import type { ChartFrame } from './frame.ts';

export interface TimelineRow {
  name: string;
  /** Counts for equal steps from the start on. */
  times: RecordedMessages['times'];
  /** "at most 1,200 a second" */
  text: string;
}

export interface TimelineChart extends ChartFrame {
  kind: 'timeline';
  /** Length of the axis. */
  lengthMs: number;
  rows: readonly TimelineRow[];
}
