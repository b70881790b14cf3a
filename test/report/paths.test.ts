/** Paths as a reader sees them: what repeats is folded, in every format that is read, and in none that is parsed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedPath } from '../../src/report/text/paths.ts';

const ROWS: [path: string, shown: string][] = [
  [`$.a${'.to.out'.repeat(627)}`, '$.a(.to.out)×627'],
  [`$.a${'.to.out'.repeat(30)}.to..`, '$.a(.to.out)×30.to..'],
  [`$.nodes[*]${'.out[*].to'.repeat(12)}.id`, '$.nodes[*](.out[*].to)×12.id'],
  [`$${'.children[*]'.repeat(7)}.children`, '$(.children[*])×7.children'],
  [`$${'.to.out{value}'.repeat(9)}`, '$(.to.out{value})×9'],
  [`$${'.next'.repeat(20)}…${'.next'.repeat(20)}`, '$(.next)×20…(.next)×20'],
  [`$${'["odd key"]'.repeat(3)}`, '$(["odd key"])×3'],
  ['$.a.a.a', '$.a.a.a'],
  ['$.items[0].a[1].a', '$.items[0].a[1].a'],
  ['$', '$'],
  ['orders#small', 'orders#small'],
  ['$ is no path $.a.a.a.a.a.a.a.a.a.a.a', '$ is no path $.a.a.a.a.a.a.a.a.a.a.a'],
];

for (const [path, shown] of ROWS) {
  test(`a path of ${path.length} characters is shown as ${shown}`, () =>
    assert.equal(foldedPath(path), shown));
}
