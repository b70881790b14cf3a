/** Against the registry that npm is configured for. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { type ProvisionOptions, provision } from '../../../src/runtimes/provision/provision.ts';
import { isUnreachable, UNREACHABLE } from '../../support/registry.ts';
import { isToolError, rejection } from '../../support/tool-errors.ts';
import { onlyInWhole } from '../../support/whole.ts';

async function emptyCache(t: TestContext): Promise<ProvisionOptions> {
  const root = await mkdtemp(join(tmpdir(), 'clone-prof-registry-'));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  return { env: { ...process.env, XDG_CACHE_HOME: root } };
}

function testOnline(
  name: string,
  body: (options: ProvisionOptions) => Promise<void>,
  skip: string | false = false,
): void {
  test(name, { skip }, async (t) => {
    try {
      await body(await emptyCache(t));
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      t.skip(UNREACHABLE);
    }
  });
}

/** What the tests run on has been fetched in the same way, where it was not there. */
testOnline(
  'a runtime is fetched once, and then found without a network',
  async (options) => {
    const { binary } = await provision('bun@1.4.5', options);
    assert.equal((await promisify(execFile)(binary, ['--version'])).stdout.trim(), '1.4.5');
    assert.equal((await provision('bun@1.4.5', { ...options, offline: true })).binary, binary);
  },
  onlyInWhole,
);

testOnline('a version that npm does not have is an error that names the newest ones', async (options) => {
  const error = await provision('deno@0.0.1', options).catch((reason: unknown) => reason);
  if (isUnreachable(error)) throw error;
  isToolError('version-unknown', /The newest: \d+\./)(error);
});

test('a registry that cannot be reached is an error that names it', async (t) => {
  const { env } = await emptyCache(t);
  const unreachable = 'http://127.0.0.1:9';
  const lost = { ...env, NPM_CONFIG_REGISTRY: unreachable, 'NPM_CONFIG_@oven:registry': unreachable };
  const error = await rejection('offline', provision('bun', { env: lost }));
  assert.match(error.message, /127\.0\.0\.1:9/);
});
