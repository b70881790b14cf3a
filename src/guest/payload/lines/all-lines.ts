import { ToolError } from '../../../model/errors.ts';
import { currentPlatform } from '../../platform/current.ts';
import { parseJson } from '../files/read-file.ts';
import { LineReader } from './lines.ts';

/** The values of all lines of an NDJSON file. Malformed ones are left out: whoever opened the file was told. */
export async function allLines(file: string, name: string): Promise<unknown[]> {
  const values: unknown[] = [];
  const reader = new LineReader((text, { line }) => {
    try {
      values.push(parseJson(text, name, line));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
    }
  });
  for await (const chunk of currentPlatform().sources.chunks({ file, name })) reader.add(chunk);
  reader.end();
  return values;
}
