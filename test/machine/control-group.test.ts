import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { groupTimes } from '../../src/machine/machine.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('control-group');

const stat2 = (used: number, throttled: number) =>
  `usage_usec ${used}\nnr_throttled 3\nthrottled_usec ${throttled}\n`;

const CASES: [name: string, paths: string, files: Record<string, string>, times: [number, number] | null][] =
  [
    [
      'the parent has the quota',
      '0::/pod/job\n',
      {
        ...{ 'cpu.stat': stat2(9e6, 0), 'pod/cpu.max': '50000 100000\n', 'pod/cpu.stat': stat2(4000, 2500) },
        ...{ 'pod/job/cpu.max': 'max 100000\n', 'pod/job/cpu.stat': stat2(1000, 0) },
      },
      [4, 2.5],
    ],
    [
      'the smaller of two quotas',
      '0::/pod/job\n',
      {
        ...{ 'pod/cpu.max': '400000 100000\n', 'pod/cpu.stat': stat2(4000, 0) },
        ...{ 'pod/job/cpu.max': '50000 100000\n', 'pod/job/cpu.stat': stat2(1000, 7000) },
      },
      [1, 7],
    ],
    ['no control group', '0::/\n', {}, null],
  ];

for (const [i, [name, paths, files, times]] of CASES.entries()) {
  test(name, () => {
    const root = join(folder, String(i));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const expected = times && { usedMs: times[0], throttledMs: times[1] };
    assert.deepEqual(groupTimes(root, paths), expected);
  });
}
