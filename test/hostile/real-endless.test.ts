/** A registry that never ends, slowly or fast: npm has a time and a number of bytes. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type NpmOptions, npmJson } from '../../src/runtimes/provision/npm.ts';
import { endlessRegistry } from './registry.ts';

test('registry: that never ends, slowly or fast', async (t) => {
  const endless = await endlessRegistry();
  const cache = mkdtempSync(join(tmpdir(), 'hostile-npm-'));
  t.after(() => {
    endless.close();
    rmSync(cache, { recursive: true, force: true });
  });
  const fails = (kind: string, most: Pick<NpmOptions, 'timeoutMs' | 'mostBytes'>, message: RegExp) => {
    const env = {
      ...process.env,
      npm_config_userconfig: '',
      npm_config_cache: '',
      NPM_CONFIG_REGISTRY: `${endless.url}/${kind}/`,
      HOME: cache,
      npm_config_registry: '',
    };
    const options = { cwd: cache, env, projectNpmrc: false, cache, ...most };
    return assert.rejects(npmJson(['view', 'any-package', 'versions'], options), { message });
  };
  await Promise.all([
    fails('drip', { timeoutMs: 3000, mostBytes: 2 ** 30 }, /^npm gave no answer within 3000 ms$/),
    fails(
      'flood',
      { timeoutMs: 600_000, mostBytes: 2 ** 20 },
      /^its registry sends more than 1 MiB\. See which/,
    ),
  ]);
});
