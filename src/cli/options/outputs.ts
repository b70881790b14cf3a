import { CHECK_FORMATS, type CheckFormat } from '../../model/check.ts';
import { ToolError } from '../../model/errors.ts';

/** One thing to write: a format, and where to. */
export interface Output {
  format: CheckFormat;
  /** null: stdout. */
  file: string | null;
}

const isFormat = (name: string): name is CheckFormat => CHECK_FORMATS.some((format) => format === name);

/** Formats made of lines, which can share stdout; the others are one document each. */
const LINES: readonly CheckFormat[] = ['terminal', 'github'];

/**
 * `-f terminal github sarif=out.sarif`: each word a format, `=` and a file where it does not go to stdout. A variadic
 * option also takes the payloads behind it: words that are not formats go back to them.
 */
export function outputsOf(
  words: readonly string[],
  output: string | null,
): { outputs: Output[]; payloads: string[] } {
  const outputs: Output[] = [];
  const payloads: string[] = [];
  for (const word of words) {
    const [, format = word, file = null] = /^([a-z]+)=(.+)$/s.exec(word) ?? [];
    if (isFormat(format)) outputs.push({ format, file });
    else if (file === null && /[./*\\]|^-$/.test(word)) payloads.push(word);
    else throw new ToolError('usage', { detail: unknownFormat(format) });
  }
  if (outputs.length === 0) outputs.push({ format: 'terminal', file: null });
  return { outputs: withOutput(outputs, output), payloads };
}

const unknownFormat = (format: string) =>
  `--format: '${format}' is unknown. Known: ${CHECK_FORMATS.join(', ')}; each may have a file: junit=report.xml`;

/** `-o` names the file of the one format that has none. */
function withOutput(outputs: Output[], output: string | null): Output[] {
  const bare = outputs.filter(({ file }) => file === null);
  if (output !== null && bare.length !== 1) {
    throw new ToolError('usage', {
      detail: '--output: several formats need a file each: -f json=report.json junit=report.xml',
    });
  }
  const documents = bare.filter(({ format }) => !LINES.includes(format));
  if (output === null && documents.length > 0 && bare.length > 1) {
    const [first] = documents;
    throw new ToolError('usage', {
      detail: `--format: ${first?.format} cannot share stdout with another format. Give it a file: ${first?.format}=FILE`,
    });
  }
  return outputs.map((one) => (one.file === null ? { ...one, file: output } : one));
}
