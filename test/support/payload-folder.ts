import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundleForPage } from '../../src/app/sources/bundle.ts';
import type { Recipe } from '../../src/model/report/recipe.ts';
import type { FoundRuntime, Guest, StartOptions } from '../../src/model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../../src/model/wire/wire.ts';
import { runtimeDriver } from '../../src/runtimes/driver.ts';
import { missing, type RuntimeSpec, runtime } from './runtimes.ts';
import { tempFolder } from './temp-folder.ts';

/** Long enough on any machine: a test that waits for a deadline to pass gives its own. */
const TIMEOUT_MS = 120_000;

export const openRequest = (recipe: Recipe) => ({ type: 'open', recipe, exports: null }) as const;

/** A temporary folder with payload files, and guests that run in it. */
export class PayloadFolder {
  readonly path = tempFolder('☂');
  #values = 0;

  file(name: string, text: string | Uint8Array): string {
    const file = join(this.path, name);
    writeFileSync(file, text);
    return file;
  }

  /** Writes a module and gives the recipe of one of its exports. */
  module(name: string, text: string, exported = 'value'): Recipe {
    const file = this.file(name, text);
    const build = { form: 'module', file, original: file, export: exported } as const;
    return { id: name.replace(/\.\w+$/, ''), source: { file, export: exported }, build };
  }

  /** Writes a module whose export `value` is this code, and gives its recipe. */
  value(code: string): Recipe {
    return this.module(`value-${++this.#values}.mjs`, `export const value = ${code};`);
  }

  /** Writes a value as JSON and gives its recipe. */
  json(name: string, value: unknown): Recipe {
    const file = this.file(`${name}.json`, JSON.stringify(value));
    return { id: name, source: { file: `${name}.json`, export: null }, build: { form: 'json', file } };
  }

  startGuest(runtime: FoundRuntime, options: Partial<StartOptions> = {}): Promise<Guest> {
    return runtimeDriver(bundleForPage).start(runtime, {
      ...{ timeoutMs: TIMEOUT_MS, cwd: this.path, forModules: true },
      ...options,
    });
  }

  /** One request to a fresh guest, where earlier requests would leave something. */
  async ask<R extends GuestRequest>(
    runtime: FoundRuntime,
    request: R,
    options: Partial<StartOptions> = {},
  ): Promise<AnswerTo<R['type']>> {
    const guest = await this.startGuest(runtime, options);
    try {
      return await guest.ask(request);
    } finally {
      await guest.close();
    }
  }

  /** The same test in a guest on each of these runtimes. */
  testInGuests(
    name: string,
    specs: readonly RuntimeSpec[],
    body: (guest: Guest, spec: RuntimeSpec) => Promise<void>,
  ): void {
    for (const spec of specs)
      test(`${spec}: ${name}`, { skip: missing(spec) }, async () => {
        const guest = await this.startGuest(runtime(spec));
        try {
          await body(guest, spec);
        } finally {
          await guest.close();
        }
      });
  }

  /** For a script: `scripts/test.mjs` removes those of tests. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
