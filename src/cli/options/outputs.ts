import type { CheckFormat } from '../../model/gate/limits.ts';
import { guessText } from '../../model/guess.ts';
import type { ReportFormat } from '../../model/report/render-options.ts';
import type { SweepFormat } from '../../model/vocabulary/sweep.ts';
import { asTyped, isDataWord, several, usage } from './option.ts';

export interface Output<Format extends string> {
  format: Format;
  /** null: stdout. */
  file: string | null;
}

interface FormatTerms {
  /** Extensions of files, for `-o` without `-f`. */
  endings: readonly string[];
  /** True for formats made of lines, which can share stdout. Other formats are a whole document each. */
  isLines?: true;
}

type AnyFormat = ReportFormat | CheckFormat | SweepFormat;

/** Formats in the order of search: ".sarif.json" and ".bench.json" come before ".json". */
const FORMATS: Readonly<Record<AnyFormat, FormatTerms>> = {
  sarif: { endings: ['.sarif.json', '.sarif'] },
  benchmark: { endings: ['.bench.json'] },
  json: { endings: ['.json'] },
  markdown: { endings: ['.md', '.markdown'] },
  html: { endings: ['.html', '.htm'] },
  junit: { endings: ['.xml'] },
  terminal: { endings: ['.txt'], isLines: true },
  // The lines of this format are for the log of a CI runner, so no extension selects it.
  github: { endings: [], isLines: true },
};

const ENDINGS = Object.entries(FORMATS).flatMap(([format, { endings }]) =>
  endings.map((ending) => ({ ending, format })),
);

const isLines = (format: AnyFormat): boolean => FORMATS[format].isLines === true;

/** A word of `-f`: "json", or "json=report.json". */
export interface FormatWord<Format> {
  format: Format;
  /** undefined: the word does not name a file. "-": stdout. */
  file: string | undefined;
}

/** Settings of `-f` and `-o`. */
export interface OutputSettings<Format> {
  formats: FormatWord<Format>[];
  output: string[];
}

const partsOf = (word: string) => /^([a-z]+)=(.+)$/s.exec(word) ?? [];

/** @param known formats of the command */
export const formatsOption = <Format extends AnyFormat>(known: readonly Format[]) =>
  several(
    '-f, --format <format...>',
    `how to print: ${known.join(', ')}; with a file: json=report.json (default: terminal)`,
    (word): FormatWord<Format> => {
      const [, name = word, file] = partsOf(word);
      const format = known.find((one) => one === name);
      if (format !== undefined) return { format, file };
      throw usage(
        `--format: '${name}' is unknown.${guessText(name, known)} Known: ${known.join(', ')}; each may have a file: json=report.json`,
      );
    },
    {
      values: known,
      takes: (word) => partsOf(word).length > 0 || !(isDataWord(word) || /[./*\\]/.test(word)),
    },
  );

/** Repeatable, but not variadic: a variadic option would take the payload behind it and overwrite that file. */
export const OUTPUT = several(
  '-o, --output <file>',
  'write the result to a file; its extension sets the format (repeatable; - is stdout)',
  asTyped,
  { repeatable: true },
);

/**
 * Outputs of `-f terminal github sarif=out.sarif -o out.json`. Each word of `-f` is a format, with `=` and a file
 * unless it goes to stdout. The extension of each file of `-o` decides its format.
 *
 * @param known formats of the command
 * @throws ToolError 'usage'
 */
export function outputsOf<Format extends AnyFormat>(
  known: readonly Format[],
  { formats, output }: OutputSettings<Format>,
): Output<Format>[] {
  const bare = formats.flatMap(({ format, file }) => (file === undefined ? format : []));
  const complete = formats.flatMap(({ format, file }) =>
    file === undefined ? [] : { format, file: file === '-' ? null : file },
  );
  const outputs = [...complete, ...paired(bare, output, known)];
  if (outputs.length === 0) outputs.push(...paired([], ['-'], known));
  refuseSharing(outputs);
  return outputs;
}

/** Outputs of a measurement. It is printed on stdout too, unless `-f` is given: then `-f` names all outputs. */
export function measuredOutputs<Format extends AnyFormat>(
  known: readonly Format[],
  settings: OutputSettings<Format>,
): readonly Output<Format | 'terminal'>[] {
  const outputs = outputsOf(known, settings);
  const isPrinted = outputs.some(({ format, file }) => format === 'terminal' || file === null);
  return isPrinted || settings.formats.length > 0
    ? outputs
    : [...outputs, { format: 'terminal', file: null }];
}

/**
 * The extension of a file decides its format, unless a single document and a single file are named: `-f json -o
 * report.log`. Formats without a file go to stdout, and so does the file `-`.
 */
function paired<Format extends AnyFormat>(
  bare: readonly Format[],
  files: readonly string[],
  known: readonly Format[],
): Output<Format>[] {
  const left = new Set(bare);
  const take = (format: Format | undefined) => {
    if (format !== undefined) left.delete(format);
    return format;
  };
  const [only] = bare.length === 1 && files.length === 1 ? bare : [];
  const document = only !== undefined && !isLines(only) ? only : undefined;
  // Known extensions choose first. The remaining formats go to the other files in the order of the command line.
  const formats = files.map((file) => take(document ?? formatOfFile(file, known)));
  const written = files.map((file, i) => {
    const format = formats[i] ?? take([...left][0]);
    if (format !== undefined) return { format, file: file === '-' ? null : file };
    if (file === '-') return { format: known[0]!, file: null };
    throw unknownEnding(file, known);
  });
  return [...written, ...[...left].map((format) => ({ format, file: null }))];
}

function formatOfFile<Format extends AnyFormat>(file: string, known: readonly Format[]): Format | undefined {
  const row = ENDINGS.find(({ ending }) => file.toLowerCase().endsWith(ending));
  return known.find((one) => one === row?.format);
}

function unknownEnding(file: string, known: readonly AnyFormat[]) {
  if (file === '') return usage('--output: the name of the file is empty');
  const endings = ENDINGS.filter(({ format }) => known.some((one) => one === format));
  return usage(
    `--output: the extension of '${file}' is not known. Known: ${endings.map(({ ending }) => ending).join(', ')}; or name the format: -f json`,
  );
}

function refuseSharing(outputs: readonly Output<AnyFormat>[]): void {
  const onStdout = outputs.filter(({ file }) => file === null);
  const document = onStdout.find(({ format }) => !isLines(format));
  if (document === undefined || onStdout.length === 1) return;
  const { format } = document;
  throw usage(`--format: ${format} cannot share stdout with another format. Give it a file: ${format}=FILE`);
}
