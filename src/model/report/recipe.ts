import type { AnalyzedRecording, Traffic } from '../documents/recorded/traffic.ts';
import type { ToolError } from '../errors.ts';
import type { Channel, LibraryName } from '../names.ts';
import type { Scale } from '../vocabulary/sweep.ts';

/**
 * How to build a payload in any guest. The host never holds a user's live value and never imports user code: it passes a
 * recipe, and the guest (or its worker) builds the value.
 */
export type RecipeForm =
  /** A file that is one JSON text: parsed, never executed. */
  | { form: 'json'; file: string }
  /** One line of an NDJSON file. `line` counts from 1; offset and length are bytes of that line in the file. */
  | { form: 'ndjson'; file: string; line: number; offset: number; length: number }
  /** The whole file as one string (UTF-8). */
  | { form: 'text'; file: string }
  /** The whole file as one Uint8Array with a buffer of exactly its size. */
  | { form: 'bytes'; file: string }
  /**
   * An export of a module. `file` is what is imported (for TypeScript the bundle that esbuild made of `source`), `original`
   * what the user named. An exported function is a factory: called, and awaited, for every fresh value.
   */
  | {
      form: 'module';
      file: string;
      source?: string;
      original: string;
      export: string;
      /** Of the tool: it makes values and has no code of the user's. */
      generated?: true;
      /** What the factory is called with: how large the value is. */
      size?: number;
    }
  /** A value of the tool, for calibration and tests: built by name inside the guest. */
  | { form: 'specimen'; name: string };

/** Payloads that a program posts one after the other, the last of them that of the recipe. */
type Sequence =
  /** Lines of the same NDJSON file. */
  | { lines: { line: number; offset: number; length: number }[] }
  /** Made of the payload: of each the share of bytes that equals the one before, and where it differs. */
  | { equal: number; paths: string[] };

export interface Recipe {
  /** Report id: file stem, `#export` added for a module's export, `#group` for lines of an NDJSON file. */
  id: string;
  /** `line`: of an NDJSON file, the line that represents its group. */
  source: { file: string; export: string | null; line?: number };
  build: RecipeForm;
  /** Library whose envelope is put around the value; see `--via`. */
  via?: LibraryName | null;
  /** Paths of what the program lists in the transfer list; without, the module of the payload may say. */
  transfer?: readonly string[];
  /** Made larger or smaller at one path after it was built, before the envelope; see `sweep`. */
  scale?: Scale | null;
  /** Number of messages of the input that it represents (NDJSON lines of one shape). */
  stands?: number;
  /** For rewrites that send what has changed. */
  sequence?: Sequence;
  /** While it is timed, each message is a value that was just made, as in the program that was recorded. */
  isNewEachTime?: boolean;
  /** What its value must be while it is measured: counts by name. */
  facts?: Readonly<Record<string, number>>;
}

/** Building it runs code of the user's; the other forms are data. */
export const isModule = ({ build }: Recipe): boolean => build.form === 'module' && build.generated !== true;

/** An input: a recipe, one that a guest must open first, or why there is none. */
export type Source = (
  | { kind: 'ready'; recipe: Recipe }
  /** A module (`export: '*'`) or an NDJSON file (`line: 0`): only a guest can list the payloads in it. */
  | { kind: 'open'; recipe: Recipe }
  | { kind: 'failed'; id: string; file: string; error: ToolError }
) & {
  recorded?: Recorded;
  /** One of the files that a glob matches. */
  glob?: true;
  /** Of those that are in it only this one: the name of an export, or of a kind of lines. */
  part?: string;
};

/** What is known of a payload that stands for recorded messages. */
export interface Recorded {
  /** The same object for all sites of one recording. */
  recording: AnalyzedRecording;
  /** ns of sending, of the sites that are not analyzed. */
  leftNs: number;
  traffic: Traffic;
  /** How the messages travelled; null: as all payloads of the run do. */
  channel: Channel | null;
  /** What the site posts, this payload among it: samples of one schema. */
  samples?: readonly Recipe[];
}

/** Whether guests of these load modules of the user's. */
export const runsModules = (sources: readonly Source[]): boolean =>
  sources.some((source) => source.kind === 'open' && isModule(source.recipe));
