/** docs/hosts.md says what is seen on the hosts that are here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { missing, runtime } from '../support/runtimes.ts';
import { usually } from '../support/whole.ts';
import { HOSTS, seenOn, writtenOf } from './hosts/matrix.ts';

const written = readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8');
/** In the usual suite two channels of one host. */
const all = usually([false], [true]).at(-1)!;

for (const [spec, channels] of all ? HOSTS : HOSTS.slice(0, 1)) {
  const told = missing(spec) === false ? writtenOf(runtime(spec), written) : null;
  const other = `docs/hosts.md is of another version: npm run verify:hosts -- --write`;
  test(`${spec}: each kind of value arrives as docs/hosts.md says`, {
    skip: missing(spec) || (told === null && other),
  }, async () => {
    const posted = all ? channels : (['worker', 'ipc-json'] as const);
    const seen = await seenOn(runtime(spec), posted);
    assert.ok(Object.keys(told!).length > 50);
    for (const [title, cells] of Object.entries(told!))
      assert.deepEqual(
        seen[title],
        Object.fromEntries(posted.map((channel) => [channel, cells[channel]])),
        title,
      );
  });
}
