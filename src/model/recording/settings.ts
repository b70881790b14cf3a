import type { KeptValues } from './recording.ts';

/**
 * A file that only reserves disk space. When the disk is full, the recorder deletes it and continues. The host sees
 * that it is missing.
 */
export const ROOM_FILE = 'room';

/** Settings that the host gives to the recorder of each thread, in `settings.json` of the recording's folder. */
export interface TapSettings {
  /** Values of inspected messages to keep. */
  values: KeptValues;
  /** True if the errors that posts throw in the program are extended by the path of the refused value. */
  doctor: boolean;
  /** When the recording started, milliseconds since 1970. */
  startedAt: number;
  /** Random text that is mixed into the hashes of this recording. */
  salt: string;
}
