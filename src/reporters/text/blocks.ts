/** Blocks of lines as a text: a blank line between blocks, a line end after the last one. Empty blocks are left out. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const filled = blocks.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
