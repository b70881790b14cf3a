/** The parser without the formatter, which calls `map` when it loads: see value/read/lists.ts. */
declare module 'jsonc-parser/lib/esm/impl/parser.js' {
  export { visit } from 'jsonc-parser/lib/esm/main.js';
}
