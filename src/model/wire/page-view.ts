import type { Report } from '../documents/report.ts';
import type { NumberedRequest } from './wire.ts';

/** What a page shows, if somebody looks at it. */
export interface PageView {
  status: string;
  /** What is known so far. */
  report: Report | null;
  /** Nothing more will come. */
  over: boolean;
}

/** What is sent to a page. */
export type ToPage = NumberedRequest | { view: PageView };
