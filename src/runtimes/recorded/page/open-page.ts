/** What a page is opened with, and what is known of it then: whichever browser it is in. */
import { randomBytes } from 'node:crypto';
import type { RecordingHeader } from '../../../model/documents/recorded/recording.ts';
import type { TapSettings } from '../../../model/recording/settings.ts';
import type { FoundRuntime } from '../../../model/run/runtime.ts';
import type { Signals } from '../../process/recorded-program.ts';
import type { PageThreads } from './page-threads.ts';

export interface PageOptions {
  address: string;
  browser: FoundRuntime;
  isHeadless: boolean;
  /** Where thread files are written. */
  folder: string;
  values: RecordingHeader['values'];
  doctor: boolean;
  forMs: number | null;
  env: Readonly<Record<string, string | undefined>>;
  signals: Signals;
  /** The page is being opened: in a window, or not. */
  onOpening: (isHeadless: boolean) => void;
}

/** What is put into the page. */
export interface PageRecorder {
  threads: PageThreads;
  /** Source of the recorder: a script whose global `recorder` has `start` and `connect`. */
  script: string;
  settings: Omit<TapSettings, 'root'>;
}

export type PageGone = 'closed' | 'crashed';

export interface OpenPage {
  /** @throws ToolError 'page-unreachable', or that of a browser that ended before it had a page */
  ended: Promise<PageGone>;
  /** Ends the recording in all that is there still. */
  end(): Promise<void>;
  close(): Promise<void>;
}

export const randomHex = (): string => randomBytes(16).toString('hex');
