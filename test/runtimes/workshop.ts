import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Recipe } from '../../src/model/recipe.ts';
import type { FoundRuntime, StartOptions } from '../../src/model/runtime.ts';
import { processDriver } from '../../src/runtimes/process/driver.ts';

/** A folder of its own for files that a test writes. */
export class Workshop {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'clone prof ☂ ')));

  file(name: string, text: string | Uint8Array): string {
    const file = join(this.folder, name);
    writeFileSync(file, text);
    return file;
  }

  module(name: string, text: string, exported = 'value'): Recipe {
    const file = this.file(name, text);
    const build = { form: 'module', file, original: file, export: exported } as const;
    return { id: name.replace(/\.\w+$/, ''), source: { file, export: exported }, build };
  }

  start(runtime: FoundRuntime, options: Partial<StartOptions> = {}) {
    return processDriver.start(runtime, { timeoutMs: 20_000, cwd: this.folder, ...options });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
