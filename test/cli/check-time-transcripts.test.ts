/** Limits of time and memory, which need copies of payloads in the baseline. */
import type { CliScenario } from '../support/run-cli.ts';
import { CONFIG, config, kept, NESTED, ROWS, scenario } from './check-scenarios.ts';
import { testTranscripts } from './transcript.ts';

const timed = (now: number, jitter: number, more: object = {}): CliScenario =>
  scenario(
    {
      'rows.json': ROWS,
      [CONFIG]: JSON.stringify({
        ...(JSON.parse(
          config({
            input: 'rows.json',
            limits: { time: '+10%', class: 'off', maxBytes: 'off', maxNodes: 'off' },
          }),
        ) as object),
        ...more,
      }),
    },
    {
      before: [['baseline', '--samples']],
      changed: { 'rows.json': NESTED },
      script: { times: { of: { now: { roundTrip: now }, before: { roundTrip: 100_000 } }, jitter } },
    },
  );

testTranscripts([
  {
    name: 'check-time-slower',
    code: 1,
    says: [
      '1 of 5 limits broken.',
      'clone-prof: rows on bun@1.4.5: time +100 % (95 %: +90 % to +111 %), limit +10% at $[1].geo',
    ],
    args: 'check',
    scenario: timed(200_000, 0.02),
  },
  {
    name: 'check-time-same',
    says: ['● rows on bun@1.4.5 · 5 kept 5 limits kept.'],
    args: 'check',
    scenario: timed(100_000, 0.02),
  },
  {
    name: 'check-time-unsure',
    code: 3,
    says: [
      'error: time: unsure: +10 % (95 %: +7 % to +13 %), limit +10%; the limit is within the interval: in this time growth from 3 % on can be detected; a longer --budget narrows it',
      '1 limit undecided.',
    ],
    args: 'check -b 1s',
    scenario: timed(110_000, 0.2),
  },
  {
    name: 'check-time-unsure-allowed',
    says: ['warning: time: unsure: +10 % (95 %: +7 % to +13 %), limit +10%', '4 limits kept, 1 warning.'],
    args: 'check -b 1s',
    scenario: timed(110_000, 0.2, { undecided: 'warn' }),
  },
  {
    name: 'check-total-spent',
    code: 3,
    says: [
      '1 limit not measured.',
      'clone-prof: rows on bun@1.4.5: time not measured: the time of --total is used up',
    ],
    args: 'check --total 100ms',
    scenario: timed(100_000, 0.02),
  },
  {
    name: 'check-time-unchanged',
    says: ['● rows on bun@1.4.5 · 5 kept 5 limits kept.'],
    args: 'check',
    scenario: { ...timed(200_000, 0.02), changed: {} },
  },
  {
    name: 'check-memory',
    code: 1,
    says: [
      '1 of 6 limits broken.',
      'clone-prof: rows on bun@1.4.5: maxBytes 46 B -> 62 B, +35 %, limit +10% (50 B) at $[*].geo',
    ],
    args: 'check',
    scenario: scenario(
      {
        'rows.json': ROWS,
        [CONFIG]: config({ input: 'rows.json', limits: { memory: '+20%', class: 'off', maxNodes: 'off' } }),
      },
      { before: [['baseline', '--samples']], changed: { 'rows.json': NESTED } },
    ),
  },
  {
    name: 'check-time-without-samples',
    code: 3,
    says: [
      '1 limit not measured.',
      'clone-prof: rows on bun@1.4.5: time not measured: it needs a copy of the payload in the baseline to measure against. Keep one: clone-prof baseline --samples',
    ],
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [['baseline']] },
  },
  {
    name: 'check-time-masked',
    code: 1,
    says: [
      '1 of 5 limits broken.',
      'clone-prof: rows on bun@1.4.5: time +100 % (95 %: +90 % to +111 %), limit +10% at $[1].geo',
    ],
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [['baseline', '--samples', '--mask']] },
  },
  {
    name: 'baseline-samples',
    says: [
      'warning: clone-prof.baseline.json holds copies of payloads. Commit it only where all their values may be public; --mask hides texts ``` clone-prof.',
      '"sample": {"json":[{"id":1,"name":"Ada"},{"id":2,"name":"Alan"}]} }',
    ],
    args: 'baseline --samples',
    scenario: { ...kept, shows: ['clone-prof.baseline.json'] },
  },
  {
    name: 'baseline-masked',
    says: [
      'warning: clone-prof.baseline.json holds numbers and keys of the payloads; texts are masked.',
      '"sample": {"json":[{"id":1,"name":"xxx"},{"id":2,"name":"xxxx"}],"masked":true}',
    ],
    args: 'check --accept --samples --mask',
    scenario: { ...kept, shows: ['clone-prof.baseline.json'] },
  },
  {
    name: 'baseline-mask-alone',
    code: 2,
    says: ['clone-prof: --mask hides the texts of --samples. Give both'],
    args: 'baseline --mask',
    scenario: kept,
  },
  {
    name: 'check-samples-alone',
    code: 2,
    says: ['clone-prof: --samples is for check --accept, which writes the baseline'],
    args: 'check --samples',
    scenario: kept,
  },
  {
    name: 'check-time-without-baseline',
    code: 3,
    says: [
      '1 limit not measured.',
      'clone-prof: rows on bun@1.4.5: time not measured: rows is not in the baseline: run clone-prof baseline and commit the file',
    ],
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [] },
  },
]);
