import type { Rule } from '../../model/rules/rule.ts';
import { POSTED, SHARED_MEMORY } from './common.ts';
import { NOTE } from './lossy.ts';

const UNTRANSFERABLE = {
  ...NOTE,
  when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['untransferable'] },
  title: 'buffer marked as untransferable',
  why: 'Its memory was marked by markAsUntransferable: listing it in the transfer list throws an error.',
  fix: 'List a copy: buffer.slice().',
  source:
    'Node lib/worker_threads markAsUntransferable; seen on Node 22-26, Bun 1.4.5, Deno 2.8 (ports) and 2.9.4 (structuredClone)',
} as const satisfies Partial<Rule>;

/** Memory that is moved, or shared. */
export const memory = [
  {
    ...UNTRANSFERABLE,
    id: 'spec/untransferable',
    scope: {
      runtimes: { node: '>=21.0.0', bun: '>=1.4.0', deno: '>=2.8.0' },
      channels: POSTED,
      transferring: true,
    },
  },
  {
    ...UNTRANSFERABLE,
    id: 'spec/untransferable-clone',
    scope: {
      runtimes: { node: '>=21.0.0', bun: '>=1.4.0', deno: '>=2.9.4' },
      channels: ['structured-clone'],
      transferring: true,
    },
  },
  {
    ...NOTE,
    id: 'spec/shared-memory-context',
    when: SHARED_MEMORY,
    scope: { runtimes: { chromium: '*', firefox: '*', webkit: '*' } },
    title: 'shared memory in a browser',
    why: 'Browsers allow SharedArrayBuffer only on pages served with the COOP and COEP headers.',
    fix: 'Serve the page with Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp.',
    source: 'HTML cross-origin isolation',
  },
] as const satisfies readonly Rule[];
