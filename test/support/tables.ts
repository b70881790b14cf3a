/** Cases of tests as tables in Markdown: a section has a table, whose rows are cases. A cell may be code. */
import { readFileSync } from 'node:fs';

const cellsOf = (line: string): string[] =>
  line
    .slice(2, -2)
    .split(' | ')
    .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1'));

/** @returns the cells of each row of the section of this title @throws Error if there are none */
export function tablesIn(url: URL): (title: string) => string[][] {
  const [, ...sections] = readFileSync(url, 'utf8').split(/^## /m);
  return (title) => {
    const section = sections.find((one) => one.startsWith(`${title}\n`));
    const [, , ...rows] = section?.match(/^\| .* \|$/gm) ?? [];
    if (rows.length === 0) throw new Error(`no rows of '${title}' in ${url.pathname}`);
    return rows.map(cellsOf);
  };
}
