import type { KeptValues } from './recording.ts';

/** A file that reserves disk space: when the disk is full, the recorder deletes it, and the host sees that it is missing. */
export const ROOM_FILE = 'room';

/** Variable of the environment that names the folder of the recording. The recorder starts in each process that has it. */
export const FOLDER_VARIABLE = 'CLONE_PROF_RECORDING';

/** Environment data of a worker in Node, there only until its own code runs. */
export const HANDOVER = 'clone-prof: thread';

/** Settings that the host gives to the recorder of each thread, in `settings.json` of the recording's folder. */
export interface TapSettings {
  values: KeptValues;
  /** True if the errors that posts throw in the program are extended by the path of the refused value. */
  doctor: boolean;
  startedAt: number;
  /** Random text that is mixed into the hashes of this recording. */
  salt: string;
}

export interface ProcessTapSettings extends TapSettings {
  /** Variables that start the recorder in a child, with the option that goes before what they hold. */
  environment: readonly { name: string; option: string }[];
}

export interface PageTapSettings extends TapSettings {
  /** Name of the function that sends messages to the host. The recorder removes it before code of the page runs. */
  binding: string;
  worker: string | null;
}

/** Start of a message of a page to the host that has lines of its records; other messages are its `PageState`. */
export const PAGE_RECORDS = '{"record"';
