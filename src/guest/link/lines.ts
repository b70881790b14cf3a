/**
 * Cuts a stream of text into lines, whatever pieces it comes in. Only the new piece is searched for newlines, so a line
 * of many megabytes in small pieces takes linear time.
 *
 * @returns takes the next piece; calls `onLine` for each complete line that is not empty, without its newline
 */
export function lineCutter(onLine: (line: string) => void): (piece: string) => void {
  let parts: string[] = [];
  return (piece) => {
    let from = 0;
    for (let end = piece.indexOf('\n'); end !== -1; end = piece.indexOf('\n', from)) {
      parts.push(piece.slice(from, end));
      const line = parts.join('');
      parts = [];
      from = end + 1;
      if (line !== '') onLine(line);
    }
    if (from < piece.length) parts.push(piece.slice(from));
  };
}
