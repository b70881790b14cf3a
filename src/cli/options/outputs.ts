import { listOf, type Typed, usage } from './values.ts';

/** One thing to write: a format, and where to. */
export interface Output<Format extends string> {
  format: Format;
  /** null: stdout. */
  file: string | null;
}

/** Formats made of lines, which can share stdout; the others are one document each. */
const LINES: readonly string[] = ['terminal', 'github'];

/** The longest first. */
const ENDINGS: readonly (readonly [ending: string, format: string])[] = [
  ['.sarif.json', 'sarif'],
  ['.bench.json', 'benchmark'],
  ['.json', 'json'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.xml', 'junit'],
  ['.sarif', 'sarif'],
  ['.txt', 'terminal'],
];

/**
 * `-f terminal github sarif=out.sarif -o out.json`: each word a format, `=` and a file where it does not go to stdout,
 * and files whose ending says the format. A variadic option also takes the payloads behind it: words that are not
 * formats go back to them.
 *
 * @param known formats of the command
 * @throws ToolError 'usage'
 */
export function outputsOf<Format extends string>(
  known: readonly Format[],
  { format: words, output: files }: Typed['flags'],
): { outputs: Output<Format>[]; payloads: string[] } {
  const complete: Output<Format>[] = [];
  const bare: Format[] = [];
  const payloads: string[] = [];
  for (const word of listOf(words)) {
    const [, name = word, file = null] = /^([a-z]+)=(.+)$/s.exec(word) ?? [];
    const format = known.find((one) => one === name);
    if (format === undefined) {
      if (file !== null || !/[./*\\]|^-$/.test(word))
        throw usage(
          `--format: '${name}' is unknown. Known: ${known.join(', ')}; each may have a file: json=report.json`,
        );
      payloads.push(word);
    } else if (file === null) bare.push(format);
    else complete.push({ format, file: file === '-' ? null : file });
  }
  const outputs = [...complete, ...paired(bare, listOf(files), known)];
  if (outputs.length === 0) outputs.push(...paired([], ['-'], known));
  refuseSharing(outputs);
  return { outputs, payloads };
}

/**
 * The ending of a file decides its format, except where one document and one file are named: `-f json -o report.log`.
 * Formats without a file go to stdout, and so does the file `-`.
 */
function paired<Format extends string>(
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
  const asked = only !== undefined && !LINES.includes(only) ? only : undefined;
  // Known endings choose first: what is left goes to the other files in the order of the command line.
  const formats = files.map((file) => take(asked ?? formatOfEnding(file, known)));
  const written = files.map((file, i) => {
    const format = formats[i] ?? take([...left][0]);
    if (format !== undefined) return { format, file: file === '-' ? null : file };
    if (file === '-') return { format: known[0]!, file: null };
    throw unknownEnding(file, known);
  });
  return [...written, ...[...left].map((format) => ({ format, file: null }))];
}

/** What was measured is also told on stdout where only files were named: `-o run.html`. `-f` names all that is written. */
export function besideFiles<Format extends string>(
  outputs: readonly Output<Format>[],
  { format: words }: Typed['flags'],
): readonly Output<Format | 'terminal'>[] {
  const isTold = outputs.some(({ format, file }) => format === 'terminal' || file === null);
  return isTold || listOf(words).length > 0 ? outputs : [...outputs, { format: 'terminal', file: null }];
}

function formatOfEnding<Format extends string>(file: string, known: readonly Format[]): Format | undefined {
  const [, format] = ENDINGS.find(([ending]) => file.toLowerCase().endsWith(ending)) ?? [];
  return known.find((one) => one === format);
}

function unknownEnding(file: string, known: readonly string[]) {
  if (file === '') return usage('--output: the name of the file is empty');
  const endings = ENDINGS.filter(([, format]) => known.includes(format)).map(([ending]) => ending);
  return usage(
    `--output: the extension of '${file}' is not known. Known: ${endings.join(', ')}; or name the format: -f json`,
  );
}

function refuseSharing(outputs: readonly Output<string>[]): void {
  const onStdout = outputs.filter(({ file }) => file === null);
  const document = onStdout.find(({ format }) => !LINES.includes(format));
  if (document === undefined || onStdout.length === 1) return;
  const { format } = document;
  throw usage(`--format: ${format} cannot share stdout with another format. Give it a file: ${format}=FILE`);
}
