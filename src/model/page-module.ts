/** Header of the response that carries a module of the user. */
export const MODULE_KIND = 'module-kind';

/** A module of the user with all its imports, bundled as one file for pages. */
export interface PageModule {
  code: string;
  /** Original format: a page gets `module.exports` of a CommonJS module as the default export. */
  kind: 'esm' | 'commonjs';
  /** Original position of a line and column of the code, both from 1; null for code of the bundler. */
  originalOf(line: number, column: number): ModulePosition | null;
}

export interface ModulePosition {
  /** Set if the position is not in the module's own file; relative to the user's folder. */
  file?: string;
  line: number;
  column: number;
}

/**
 * @param module `file`: absolute path; `name`: the name that the user gave
 * @param cwd the user's folder
 * @param runtime set for a target that is not a browser
 * @throws ToolError 'file-missing' | 'module-build-failed' | 'module-unsupported' for an import that browsers lack
 */
export type BundleForPage = (
  module: { file: string; name: string },
  cwd: string,
  runtime?: 'workerd',
) => Promise<PageModule>;
