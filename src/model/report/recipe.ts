import type { AnalyzedRecording, Traffic } from '../documents/recorded/traffic.ts';
import type { ToolError } from '../errors.ts';
import type { Channel, LibraryName } from '../names.ts';
import type { Scale } from '../vocabulary/words.ts';

/** How a guest, or its worker, builds a payload: the host holds no value of the user, and imports no user code. */
export type RecipeForm =
  /** A file that is one JSON text: parsed, never executed. */
  | { form: 'json'; file: string }
  /**
   * One line of an NDJSON file. `line` counts from 1; offset and length are bytes of that line in the file. Line 0 stands for
   * all lines, with a length for all of the kind of the line there.
   */
  | { form: 'ndjson'; file: string; line: number; offset: number; length: number }
  | { form: 'text'; file: string }
  /** The whole file as one Uint8Array with a buffer of exactly its size. */
  | { form: 'bytes'; file: string }
  /**
   * An export of a module. `file` is the imported file (for TypeScript, esbuild's bundle of `source`), `original` the
   * file that the user named. An exported function is a factory: it is called, and awaited, for every fresh value.
   */
  | {
      form: 'module';
      file: string;
      source?: string;
      original: string;
      export: string;
      /** Set for a module of the tool, which makes values and contains no user code. */
      generated?: true;
      size?: number;
    };

/** `line` from 1, `offset` from the start of the file; `length` without the line end, both in bytes. */
export type Line = Record<'line' | 'offset' | 'length', number>;

/** Messages that a program posts one after the other, ending with the payload of the recipe. */
type Sequence =
  | { lines: Line[] }
  /** Messages made from the payload: the share of bytes that equals the previous message, and the paths that differ. */
  | { equal: number; paths: string[] };

export interface Recipe {
  /** Report id: file stem, `#export` added for a module's export, `#group` for lines of an NDJSON file. */
  id: string;
  /** `line`: line of an NDJSON file that represents its group. */
  source: { file: string; export: string | null; line?: number };
  build: RecipeForm;
  via?: LibraryName | null;
  /** Paths of the objects in the program's transfer list; if absent, the module of the payload may export them. */
  transfer?: readonly string[];
  /** Scaling at one path, applied after the value is built and before the envelope; see `sweep`. */
  scale?: Scale | null;
  /** The user chose this kind of lines: other lines of the file are not samples of it. */
  isOneKind?: true;
  stands?: number;
  sequence?: Sequence;
  /** Each timed message is a newly made value, as in the recorded program. */
  isNewEachTime?: boolean;
  /** The recorded program posts the same buffers again: a transfer would take them from it. */
  keepsBuffers?: boolean;
  facts?: Readonly<Record<string, number>>;
}

/** True if building it runs user code; the other forms are data. */
export const isModule = ({ build }: Recipe): boolean => build.form === 'module' && build.generated !== true;

export type Source = (
  | { kind: 'ready'; recipe: Recipe }
  /** A module (`export: '*'`) or an NDJSON file (`line: 0`), whose payloads must be listed by a guest. */
  | { kind: 'open'; recipe: Recipe }
  | { kind: 'failed'; id: string; file: string; error: ToolError }
) & {
  recorded?: Recorded;
  glob?: true;
  /** Name of the only part to use: an export, or a kind of lines. */
  part?: string;
};

/** Facts about a payload that represents recorded messages. */
export interface Recorded {
  recording: AnalyzedRecording;
  allNs: number;
  traffic: Traffic;
  /** Channel of the messages; null: the channels of the run. */
  channel: Channel | null;
  samples?: readonly Recipe[];
}

export const sourceFile = (source: Source): string =>
  source.kind === 'failed' ? source.file : source.recipe.source.file;

/** Without an extension. No character of an id can lead to a different folder. */
export const fileNameOf = (id: string): string =>
  id.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|-+$/g, '') || 'payload';

/** Name of the file that comes on stdin; commands name it `-`. */
export const STDIN = 'stdin';

/** Last part of a path of any system, without its extension: a report may come from another one. */
export const stemOf = (file: string): string => /([^/\\]+?)(\.[^.]*)?$/.exec(file)?.[1] ?? '';
