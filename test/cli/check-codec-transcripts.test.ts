import { CHECK_FORMATS } from '../../src/model/gate/check.ts';
import type { CliScenario } from '../support/run-cli.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

const CONFIG = 'clone-prof.config.json';
const CODEC = 'src/orders.codec.ts';
const order = (id: number, more: object = {}) => ({ id, note: 'x', total: 10 * id, ...more });
const orders = (...all: object[]) => JSON.stringify({ orders: all });
const ORDERS = orders(order(1), order(2));

const LIMITS = Object.fromEntries(
  ['class', 'maxBytes', 'maxAmplification', 'lossy', 'rejected', 'transfer'].map((name) => [name, 'off']),
);
const config = (...payloads: object[]) =>
  JSON.stringify({ runtimes: ['bun@1.4.5'], limits: LIMITS, payloads });
const entry = { id: 'orders', input: 'orders.json', codec: CODEC };

/** A codec was made of the orders, and then the files changed. */
const scenario = (changed: Record<string, string>, more: CliScenario = {}): CliScenario => ({
  files: { 'orders.json': ORDERS, [CONFIG]: config(entry) },
  runtimes: ['bun@1.4.5', 'node@24.0.0'],
  before: [['codec', 'orders.json', '-o', CODEC]],
  changed,
  ...more,
});
const changed = scenario({
  'orders.json': orders(order(1, { total: 2.5, gift: true }), { id: 2, total: 1, gift: false }),
});
const misses = scenario(
  {},
  { script: { proofs: { [CODEC]: { misses: ['$.orders[*].note', '$.orders[*].total'] } } } },
);

const TRANSCRIPTS: Transcript[] = [
  { name: 'check-codec-fits', args: 'check', scenario: scenario({ 'orders.json': orders(order(3)) }) },
  { name: 'check-codec-misses', args: 'check', scenario: misses },
  {
    name: 'check-codec-lossy',
    args: 'check',
    scenario: scenario(
      {},
      {
        script: {
          proofs: {
            [CODEC]: { equality: 'lossy', losses: [{ path: '$.orders[0].id', what: '1 became 2' }] },
          },
        },
      },
    ),
  },
  {
    name: 'check-codec-refused',
    args: 'check',
    scenario: scenario(
      {},
      {
        script: {
          proofs: {
            [CODEC]: { equality: 'refused', reason: 'toMessage threw TypeError: no (line 3, column 9)' },
          },
        },
      },
    ),
  },
  ...CHECK_FORMATS.map((format) => ({
    name: `check-codec-changed-${format}`,
    args: `check -f ${format}`,
    scenario: changed,
  })),
  { name: 'check-codec-fixed', args: 'check --fix-codec', scenario: changed },
  { name: 'check-codec-fixed-and-fits', args: 'check --fix-codec', scenario: scenario({}) },
  {
    name: 'check-codec-written-first',
    args: 'check --fix-codec',
    scenario: scenario({}, { before: [], shows: ['src/orders.codec.test.ts'] }),
  },
  { name: 'check-codec-missing', args: 'check', scenario: scenario({}, { before: [] }) },
  {
    name: 'check-codec-by-hand',
    args: 'check',
    scenario: scenario({
      [CODEC]: 'export const toMessage = (a) => a;\nexport const fromMessage = (a) => a;\n',
    }),
  },
  {
    name: 'check-codec-by-hand-is-kept',
    args: 'check --fix-codec',
    scenario: scenario({ [CODEC]: 'export const toMessage = (a) => a;\n' }, { shows: [CODEC] }),
  },
  {
    name: 'check-codec-by-hand-is-not-written-over',
    args: 'check --fix-codec',
    scenario: scenario(
      { [CODEC]: 'export const toMessage = (a) => a;\n' },
      { shows: [CODEC], script: misses.script! },
    ),
  },
  {
    name: 'check-codec-edited-schema',
    args: 'check',
    scenario: scenario({ [CODEC]: '// clone-prof codec\n\n// schema: {"types":[]}\n' }),
  },
  {
    name: 'check-codec-of-a-glob',
    args: 'check',
    scenario: scenario(
      { 'all/c.json': orders(order(3, { gift: 1 })) },
      {
        files: {
          'all/a.json': ORDERS,
          'all/b.json': orders(order(1, { note: null })),
          [CONFIG]: config({ ...entry, input: 'all/*.json' }),
        },
        before: [['codec', 'all/a.json', 'all/b.json', '-o', CODEC]],
      },
    ),
  },
  {
    name: 'check-codec-of-no-codec',
    args: 'check',
    scenario: scenario({ 'orders.json': '"a text"' }),
  },
  {
    name: 'check-codec-of-two-entries',
    args: 'check',
    scenario: scenario({ [CONFIG]: config(entry, { ...entry, id: 'other', input: 'other.json' }) }),
  },
  {
    name: 'check-codec-no-module',
    args: 'check',
    scenario: scenario({ [CONFIG]: config({ ...entry, codec: 'a.py' }) }),
  },
  { name: 'check-fix-codec-and-accept', args: 'check --fix-codec --accept', scenario: scenario({}) },
];

testTranscripts(TRANSCRIPTS);
