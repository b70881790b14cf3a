/** What every written file begins with. */
import { LINE_WIDTH } from '../code/javascript.ts';

export type ModuleLanguage = 'typescript' | 'javascript' | 'commonjs';

/** First words of what clone-prof may write over. */
export const MARKER = '// clone-prof codec';

export const NO_CONDITIONS = 'Its licence has no conditions.';

/** Comment lines of at most 100 columns. */
export function commentLines(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= LINE_WIDTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`// ${word}`);
  }
  return lines;
}
