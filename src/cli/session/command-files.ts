import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { orElse } from '../../model/or-else.ts';
import { sourceFile } from '../../model/report/recipe.ts';
import type { Services } from '../../services/services.ts';
import { usage } from '../options/option.ts';

/** Text that is equal for all names of a file, including symbolic and hard links. */
export function fileIdentity(path: string): string {
  // A path that cannot be examined is reported when it is opened.
  const stats = orElse(() => statSync(path, { bigint: true }), undefined);
  return stats?.isFile() ? `${stats.dev}:${stats.ino}` : path;
}

/** Files that one command reads and writes. An input is never overwritten, even if the output has a different name. */
export class CommandFiles {
  readonly #cwd: string;
  readonly #inputs = new Set<string>();
  /** Error messages, by the identity of the output. */
  readonly #outputs = new Map<string, string>();

  /** @param inputs files that are known from the start */
  constructor(cwd: string, inputs: readonly string[] = []) {
    this.#cwd = cwd;
    this.reads(inputs);
  }

  /** @throws ToolError 'usage' if a file is also an output */
  reads(files: readonly string[], folder = this.#cwd): void {
    for (const file of files) {
      const identity = fileIdentity(resolve(folder, file));
      const message = this.#outputs.get(identity);
      if (message !== undefined) throw usage(message);
      this.#inputs.add(identity);
    }
  }

  /** @param option option that names the file. @throws ToolError 'usage' if the file is also an input */
  writes(file: string, option: string): void {
    const identity = fileIdentity(resolve(this.#cwd, file));
    const message = `${option}: ${file} is also an input. Name another file`;
    if (this.#inputs.has(identity)) throw usage(message);
    this.#outputs.set(identity, message);
  }

  /** Services that refuse to read an output, before anything is measured. */
  guarding(services: Services): Services {
    return {
      ...services,
      onRead: (path) => {
        this.reads([path]);
        services.onRead?.(path);
      },
      loadSources: async (inputs, options) => {
        const sources = await services.loadSources(inputs, options);
        this.reads(sources.map(sourceFile), options.cwd);
        return sources;
      },
    };
  }
}
