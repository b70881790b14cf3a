import type { Profile } from '../../../src/model/documents/profile.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import { payload, report, run } from '../../make.ts';

/** Text with a meaning for a terminal, HTML and Markdown. */
const HOSTILE = '\u001b[31m</td><script>|`*';

const profile: Profile = {
  by: 'inspector',
  files: ['profiles/cart.node-24.21.0.sender.cpuprofile', 'profiles/cart.node-24.21.0.receiver.cpuprofile'],
  messages: 1204,
  shares: { clone: 0.64, gc: 0.031, user: 0.302, other: 0.027 },
  top: [
    { side: 'sender', name: 'postMessage', where: null, work: 'clone', ns: 288_011, share: 0.41 },
    { side: 'receiver', name: 'get total', where: 'cart.mjs:12:5', work: 'user', ns: 221_612, share: 0.302 },
    { side: 'receiver', name: '(program)', where: null, work: 'clone', ns: 151_910, share: 0.23 },
    { side: 'sender', name: HOSTILE, where: `${HOSTILE}.mjs:1:1`, work: 'user', ns: 13_739, share: 0.03 },
    { side: 'sender', name: 'advance', where: 'clone-prof', work: 'other', ns: 739, share: 0.001 },
  ],
  missing: [],
};

const nothing: Profile = {
  by: null,
  files: [],
  messages: 0,
  shares: null,
  top: [],
  missing: [
    { what: 'sender cpuprofile', why: 'not yet implemented in Bun' },
    { what: 'receiver cpuprofile', why: 'not yet implemented in Bun' },
  ],
};

/** A run with a profile and branches; a run without a profiler, whose payload is one piece. */
export const profileAndBranches: Report = report(
  payload('cart', [
    run('node@24.21.0', {
      profile,
      byPath: [
        {
          path: '$.lines',
          bytes: 3100,
          bytesShare: 0.61,
          send: { ns: 98_000, share: 0.77, ci: [0.74, 0.8] },
        },
        {
          path: `$.lines[*][${JSON.stringify(HOSTILE)}]`,
          bytes: 310,
          bytesShare: 0.061,
          send: { ns: -900, share: -0.007, ci: [-0.04, 0.03] },
        },
        { path: '$.port', bytes: null, bytesShare: null, send: null },
      ],
    }),
    run('bun@1.2.20', { profile: nothing, byPath: [] }),
  ]),
);
