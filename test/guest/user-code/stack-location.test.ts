import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ToolError } from '../../../src/model/errors.ts';
import { missing, processDriver, runtime } from '../../support/runtimes.ts';
import { project } from '../../support/temp-project.ts';

const FILES = {
  // The interface vanishes, so that the lines of the compiled file are others.
  'own.ts': `interface Row {
  id: number;
}

export const rows = (): Row[] => {
  throw new Error('no rows');
};`,
  'lib/far.ts': `type Row = { id: number };

export function rows(): Row[] {
  throw new Error('far away');
}`,
  'via.ts': "export { rows } from './lib/far.ts';",
};

const ROWS: [entry: string, message: RegExp][] = [
  ['own.ts', /^own\.ts: the factory 'rows' threw: Error: no rows \(line 6, column \d+\)/],
  ['via.ts', /^via\.ts: the factory 'rows' threw: Error: far away \(lib\/far\.ts, line 4, column \d+\)/],
];

describe('an error in a TypeScript payload names the line of the source', () => {
  for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6'] as const) {
    test(spec, { skip: missing(spec) }, async (t) => {
      const { cwd, load } = project(FILES);
      const guest = await processDriver.start(runtime(spec), { timeoutMs: 120_000, cwd, forModules: true });
      t.after(() => guest.close());
      for (const [entry, message] of ROWS) {
        const [source] = await load([entry]);
        assert.ok(source?.kind === 'open');
        const { payloads } = await guest.ask({ type: 'open', recipe: source.recipe, exports: null });
        const [recipe] = payloads;
        assert.ok(recipe);
        await assert.rejects(
          guest.ask({ type: 'describe', recipe, channel: 'worker', confirm: false }),
          (error) => error instanceof ToolError && message.test(error.message),
          entry,
        );
      }
    });
  }
});
