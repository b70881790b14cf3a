/** A file of the user's. */
export interface PayloadFile {
  /** What is read or imported; absolute. */
  file: string;
  /** What the user named, for errors. */
  name: string;
}

export interface ImportedModule {
  /** The namespace of an ES module, `module.exports` of a CommonJS one. */
  exports: unknown;
  kind: 'esm' | 'commonjs';
}

export interface StackLocation {
  /** Set when it is another file than the one that was named. */
  file?: string;
  line: number;
  column: number;
}

/**
 * Reads the user's files inside a guest.
 *
 * @throws ToolError 'file-missing' | 'file-unreadable' | 'value-too-large' in all that read, and what user code throws in
 *   those that import
 */
export interface SourceReader {
  /** Decoded as UTF-8; bytes that are not UTF-8 become U+FFFD. */
  text(file: PayloadFile): Promise<string>;
  /** UTF-8 text of `length` bytes from `offset`. */
  textRange(file: PayloadFile, offset: number, length: number): Promise<string>;
  /** All bytes, in a buffer of exactly their size: a clone holds what the file holds. */
  bytes(file: PayloadFile): Promise<Uint8Array>;
  chunks(file: PayloadFile): AsyncIterable<Uint8Array>;
  importModule(file: PayloadFile): Promise<ImportedModule>;
  /** Evaluates a module once more. What it imports is not evaluated again. */
  importAgain(file: PayloadFile, kind: ImportedModule['kind']): Promise<ImportedModule>;
  /** Where a stack passes through a module, in the user's own file; null when it does not. */
  stackLocation(stack: string, module: PayloadFile): StackLocation | null;
  /** Path or URL of a file, relative to the user's folder. */
  shownPath(file: string): string;
}
