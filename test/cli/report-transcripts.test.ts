import type { CliScenario } from '../support/run-cli.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

const analyze = (args: string) => ['analyze', ...args.split(' '), '--no-measure'];

/** A payload of two commits, and one that only the later has. */
const commits: CliScenario = {
  files: {
    'old/orders.json': '[{"id":1,"total":12.5},{"id":2,"total":8}]',
    'new/orders.json': '[{"id":1,"total":12.5,"geo":{"x":1}},{"id":2,"total":8,"geo":{"x":2}}]',
    'new/rows.json': '[1,2,3]',
  },
  runtimes: ['bun@1.4.5', 'node@24.0.0'],
  before: [
    analyze('old/orders.json -o before.json'),
    analyze('new/orders.json new/rows.json -o now.json'),
    analyze('new/orders.json -r bun -o bun.html'),
    analyze('new/orders.json -r node -o node.json'),
  ],
};

const TRANSCRIPTS: Transcript[] = [
  { name: 'report-compare', args: 'report before.json now.json', scenario: commits },
  {
    name: 'report-compare-narrow',
    says: ['2 of 2 runs changed; 2 only now.'],
    args: 'report before.json now.json',
    scenario: { ...commits, columns: 40 },
  },
  { name: 'report-compare-markdown', args: 'report before.json now.json -f markdown', scenario: commits },
  {
    name: 'report-compare-ascii',
    says: ['2 of 2 runs changed; 2 only now.'],
    args: 'report before.json now.json',
    scenario: { ...commits, env: { TERM: 'linux' } },
  },
  { name: 'report-join', args: 'report node.json bun.html', scenario: commits },
  {
    name: 'report-join-refused',
    code: 2,
    says: [
      'clone-prof: report: before.json and now.json cannot be joined: both have orders on the same runtime. Without --join they are compared',
    ],
    args: 'report before.json now.json --join',
    scenario: commits,
  },
  {
    name: 'report-twice',
    code: 2,
    says: ['clone-prof: report: now.json and ./now.json are the same file. Name each once'],
    args: 'report now.json ./now.json',
    scenario: commits,
  },
  {
    name: 'report-emit-of-a-comparison',
    code: 2,
    says: ['clone-prof: --emit: only a report of clone-prof analyze advises a codec'],
    args: 'report before.json now.json --emit a.ts',
    scenario: commits,
  },
  {
    name: 'report-over-an-input',
    code: 2,
    says: ['clone-prof: --output: now.json is also an input. Name another file'],
    args: 'report before.json now.json -o now.json',
    scenario: commits,
  },
  {
    name: 'report-help',
    says: ['Usage: clone-prof report [options] <report...>'],
    args: 'report --help',
    scenario: {},
  },
];

testTranscripts(TRANSCRIPTS);
