import type { KeptValues } from './recording.ts';

/**
 * Holds nothing but room. A recorder that finds the disk full removes it and goes on in its place; that it is gone tells the
 * host.
 */
export const ROOM_FILE = 'room';

/** What the host tells the recorder of each thread, in `settings.json` of the recording's folder. */
export interface TapSettings {
  /** Which values of messages that are looked at are kept. */
  values: KeptValues;
  /** The program's own errors of posts that throw get the path of what was refused. */
  doctor: boolean;
  /** When the recording started, milliseconds since 1970. */
  startedAt: number;
  /** Random, for the hashes of this recording. */
  salt: string;
}
