/** Header of the answer with a module of the user's. */
export const MODULE_KIND = 'module-kind';

/** A module of the user's with all that it imports, as one file for pages. */
export interface PageModule {
  code: string;
  /** What it was before: a page gets `module.exports` of a CommonJS module as the default export. */
  kind: 'esm' | 'commonjs';
  /** Where a line and column of the code, both from 1, come from; null for code of the bundler. */
  originalOf(line: number, column: number): ModulePosition | null;
}

export interface ModulePosition {
  /** Set when it is another file than the module's own; relative to the user's folder. */
  file?: string;
  line: number;
  column: number;
}

/**
 * @param module `file`: absolute; `name`: what the user named
 * @param cwd the user's folder
 * @param runtime other than browsers
 * @throws ToolError 'file-missing' | 'module-build-failed' | 'module-unsupported' for an import that no browser has
 */
export type BundleForPage = (
  module: { file: string; name: string },
  cwd: string,
  runtime?: 'workerd',
) => Promise<PageModule>;
