/**
 * Cuts a stream of text into lines, whatever the pieces it comes in. Linear in what arrives: only a new piece is
 * searched, so that a frame of many megabytes in small pieces is not searched again and again.
 *
 * @returns takes the next piece of text; calls `onLine` for each line that is complete, without its newline
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
