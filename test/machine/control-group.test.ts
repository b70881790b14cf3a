import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { groupTimes } from '../../src/machine/machine.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder('control-group');

const stat2 = (used: number, throttled: number) =>
  `usage_usec ${used}\nnr_throttled 3\nthrottled_usec ${throttled}\n`;
const stat1 = (throttled: number) => `nr_throttled 3\nthrottled_time ${throttled}\n`;

const CASES: [name: string, paths: string, files: Record<string, string>, times: [number, number] | null][] =
  [
    [
      'version 2: the parent has the quota',
      '0::/pod/job\n',
      {
        ...{ 'cpu.stat': stat2(9e6, 0), 'pod/cpu.max': '50000 100000\n', 'pod/cpu.stat': stat2(4000, 2500) },
        ...{ 'pod/job/cpu.max': 'max 100000\n', 'pod/job/cpu.stat': stat2(1000, 0) },
      },
      [4, 2.5],
    ],
    [
      'version 2: the smaller of two quotas',
      '0::/pod/job\n',
      {
        ...{ 'pod/cpu.max': '400000 100000\n', 'pod/cpu.stat': stat2(4000, 0) },
        ...{ 'pod/job/cpu.max': '50000 100000\n', 'pod/job/cpu.stat': stat2(1000, 7000) },
      },
      [1, 7],
    ],
    [
      'version 1: the root of a container, whose path is that of the host',
      '4:memory:/docker/1\n2:cpu,cpuacct:/docker/1\n0::/docker/1\n',
      {
        ...{ 'cpu/cpu.cfs_quota_us': '150000\n', 'cpu/cpu.cfs_period_us': '100000\n' },
        ...{ 'cpu/cpu.stat': stat1(2_500_000), 'cpu/cpuacct.usage': '6000000\n' },
      },
      [6, 2.5],
    ],
    [
      'version 1: usage is in a controller apart',
      '3:cpuacct:/a\n1:cpu:/a\n',
      {
        ...{ 'cpu/a/cpu.cfs_quota_us': '-1\n', 'cpu/a/cpu.cfs_period_us': '100000\n' },
        ...{ 'cpu/a/cpu.stat': stat1(0), 'cpuacct/a/cpuacct.usage': '6000000\n' },
      },
      [6, 0],
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
