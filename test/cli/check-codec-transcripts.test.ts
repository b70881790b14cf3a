import { CHECK_FORMATS, type CheckFormat } from '../../src/model/gate/limits.ts';
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

const BY_HAND = 'export const toMessage = (a) => a;\nexport const fromMessage = (a) => a;\n';

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

const CHANGED: Record<CheckFormat, string[]> = {
  terminal: [
    '$.orders[*].gift is new',
    '$.orders[*].total was an integer, is a number',
    '3 of 3 limits broken.',
  ],
  github: [
    '::error file=orders.json,line=1,title=clone-prof%3A orders on bun@1.4.5::codec: src/orders.codec.ts does not fit: $.orders[*].gift is new.',
  ],
  json: ['"path": "$.orders[*].gift"', '"path": "$.orders[*].note"', '"path": "$.orders[*].total"'],
  junit: [
    'tests="3" failures="3" errors="0" skipped="0">',
    'name="codec $.orders[*].gift" file="orders.json" line="1"><failure',
  ],
  markdown: [
    '3 of 3 limits broken.',
    '- If the payload is right: clone-prof check --fix-codec writes the codec anew.',
  ],
  sarif: [
    'codec: src/orders.codec.ts does not fit: $.orders[*].gift is new. If the payload is right',
    '"fullyQualifiedName": "$.orders[*].gift"',
  ],
  benchmark: ['"name": "orders · bun@1 · bytes"'],
};

const TRANSCRIPTS: Transcript[] = [
  {
    name: 'check-codec-fits',
    says: ['● orders on bun@1.4.5 · 1 kept 1 limit kept.'],
    args: 'check',
    scenario: scenario({ 'orders.json': orders(order(3)) }),
  },
  {
    name: 'check-codec-misses',
    code: 1,
    says: [
      '2 of 2 limits broken.',
      'clone-prof: orders on bun@1.4.5: codec src/orders.codec.ts does not fit at $.orders[*].note',
    ],
    args: 'check',
    scenario: misses,
  },
  {
    name: 'check-codec-lossy',
    code: 1,
    says: [
      '1 of 1 limit broken.',
      'clone-prof: orders on bun@1.4.5: codec src/orders.codec.ts does not fit at $.orders[0].id',
    ],
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
    code: 1,
    says: [
      '1 of 1 limit broken.',
      'clone-prof: orders on bun@1.4.5: codec src/orders.codec.ts does not fit: toMessage threw TypeError: no (line 3, column 9)',
    ],
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
  { name: 'check-codec-changed-terminal', args: 'check -f terminal', scenario: changed },
  ...CHECK_FORMATS.map((format) => ({
    name: `check-codec-changed-${format}`,
    ...{ args: `check -f ${format}`, code: 1, says: CHANGED[format], scenario: changed },
  })),
  {
    name: 'check-codec-fixed',
    says: [
      '● orders on bun@1.4.5 · 1 kept 1 limit kept.',
      'note: wrote src/orders.codec.ts: $.orders[*].gift is new; $.orders[*].note was always there, may be missing; $.orders[*].total was an integer, is a number',
    ],
    args: 'check --fix-codec',
    // The codec that did not fit stays loaded in this process.
    scenario: { ...changed, script: { proofs: { [CODEC]: { equality: 'equal', losses: [], misses: [] } } } },
  },
  {
    name: 'check-codec-fixed-and-fits',
    says: ['● orders on bun@1.4.5 · 1 kept 1 limit kept.'],
    args: 'check --fix-codec',
    scenario: scenario({}),
  },
  {
    name: 'check-codec-written-first',
    says: ['● orders on bun@1.4.5 · 1 kept 1 limit kept.', 'note: wrote src/orders.codec.ts'],
    args: 'check --fix-codec',
    scenario: scenario({}, { before: [], shows: ['src/orders.codec.test.ts'] }),
  },
  {
    name: 'check-codec-missing',
    code: 2,
    says: [
      'clone-prof: src/orders.codec.ts: no such file, and the config names it as a codec. Write it: clone-prof check --fix-codec',
    ],
    args: 'check',
    scenario: scenario({}, { before: [] }),
  },
  {
    name: 'check-codec-by-hand',
    says: ['● orders on bun@1.4.5 · 1 kept 1 limit kept.'],
    args: 'check',
    scenario: scenario({
      [CODEC]: 'export const toMessage = (a) => a;\nexport const fromMessage = (a) => a;\n',
    }),
  },
  {
    name: 'check-codec-by-hand-is-kept',
    says: ['● orders on bun@1.4.5 · 1 kept 1 limit kept.', 'export const fromMessage = (a) => a;'],
    args: 'check --fix-codec',
    scenario: scenario({ [CODEC]: BY_HAND }, { shows: [CODEC] }),
  },
  {
    name: 'check-codec-by-hand-is-not-written-over',
    code: 2,
    says: [
      'clone-prof: src/orders.codec.ts: cannot be written (it is there, and clone-prof did not write it: its first line does not start with "// clone-prof codec")',
      'export const toMessage = (a) => a;',
    ],
    args: 'check --fix-codec',
    scenario: scenario(
      { [CODEC]: 'export const toMessage = (a) => a;\n' },
      { shows: [CODEC], script: misses.script! },
    ),
  },
  {
    name: 'check-codec-edited-schema',
    code: 3,
    says: [
      '1 limit not measured.',
      'clone-prof: orders on bun@1.4.5: codec not measured: its line "// schema:" cannot be read: clone-prof check --fix-codec writes it anew',
    ],
    args: 'check',
    scenario: scenario({ [CODEC]: `// clone-prof codec\n\n// schema: {"types":[]}\n${BY_HAND}` }),
  },
  {
    name: 'check-codec-of-a-glob',
    code: 1,
    says: [
      '1 of 3 limits broken.',
      'clone-prof: orders/a on bun@1.4.5: codec src/orders.codec.ts does not fit at $.orders[*].gift',
    ],
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
    code: 1,
    says: [
      '1 limit not measured.',
      'clone-prof: orders on bun@1.4.5: codec not measured: no codec can be made: the payload is a text',
    ],
    args: 'check',
    scenario: scenario({ 'orders.json': '"a text"' }),
  },
  {
    name: 'check-codec-of-two-entries',
    code: 2,
    says: [
      'clone-prof: clone-prof.config.json: payloads: two name the codec "src/orders.codec.ts". Give one entry a glob for both',
    ],
    args: 'check',
    scenario: scenario({ [CONFIG]: config(entry, { ...entry, id: 'other', input: 'other.json' }) }),
  },
  {
    name: 'check-codec-no-module',
    code: 2,
    says: [
      "clone-prof: clone-prof.config.json: codec: 'a.py' is not a module. Known extensions: .ts, .mts, .js, .mjs, .cjs",
    ],
    args: 'check',
    scenario: scenario({ [CONFIG]: config({ ...entry, codec: 'a.py' }) }),
  },
  {
    name: 'check-fix-codec-and-accept',
    code: 2,
    says: ['clone-prof: --fix-codec cannot be combined with --accept'],
    args: 'check --fix-codec --accept',
    scenario: scenario({}),
  },
];

testTranscripts(TRANSCRIPTS);
