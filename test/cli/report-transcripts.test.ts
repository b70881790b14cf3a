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
    args: 'report before.json now.json',
    scenario: { ...commits, columns: 40 },
  },
  { name: 'report-compare-markdown', args: 'report before.json now.json -f markdown', scenario: commits },
  {
    name: 'report-compare-ascii',
    args: 'report before.json now.json',
    scenario: { ...commits, env: { TERM: 'linux' } },
  },
  { name: 'report-join', args: 'report node.json bun.html', scenario: commits },
  { name: 'report-join-refused', args: 'report before.json now.json --join', scenario: commits },
  { name: 'report-twice', args: 'report now.json ./now.json', scenario: commits },
  { name: 'report-emit-of-a-comparison', args: 'report before.json now.json --emit a.ts', scenario: commits },
  {
    name: 'report-over-an-input',
    args: 'report before.json now.json -o now.json',
    scenario: commits,
  },
  { name: 'report-help', args: 'report --help', scenario: {} },
];

testTranscripts(TRANSCRIPTS);
