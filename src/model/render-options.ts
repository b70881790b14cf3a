/** What the output can show. */
export interface RenderOptions {
  /** ANSI colours. */
  color: boolean;
  /** Width in cells, 40 to 200. */
  columns: number;
  /** False: plain ASCII only, texts of payloads included. */
  unicode: boolean;
}
