/** Joins blocks of lines with blank lines between them and a line end after the last. Empty blocks are omitted. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const filled = blocks.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
