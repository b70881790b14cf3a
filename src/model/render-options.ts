/** What the reader's screen can show. */
export interface RenderOptions {
  /** ANSI colours. */
  color: boolean;
  /** Width of the terminal in cells, 40 to 200. */
  columns: number;
  /** False: plain ASCII only, texts of payloads included. */
  unicode: boolean;
}
