/** What is advised is what the same run found; costs are named beside it. */
import { testQuick } from './corpus.ts';

const ORDER = JSON.stringify({ id: 1, task: { to: 'x', list: [1, 2, 3] } });
const files = { 'order.json': ORDER };
const bun = { files, runtimes: ['bun@1.4.5'], exit: 0, stderr: null };
const never = /send the whole as one JSON text|Flatten it/;

testQuick('hints', [
  {
    name: 'slower rewrites are told as slower',
    args: ['analyze', 'order.json'],
    ...bun,
    script: { times: { of: { 'with-conversion': { roundTrip: 300_000 } } } },
    stdout: /Tried for it:\s+compiled \(slower/,
    never,
  },
  {
    name: 'lossy rewrites are told as lossy',
    args: ['analyze', 'order.json'],
    ...bun,
    script: {
      proofs: Object.fromEntries(
        ['json-text', 'compiled', 'plain'].map((name) => [
          name,
          { equality: 'lossy' as const, losses: [{ path: '$.id', what: 'BigInt became string' }] },
        ]),
      ),
    },
    stdout: /Tried for it:\s+compiled \(lossy, /,
    never,
  },
  {
    name: 'the advised rewrite is named, no other',
    args: ['analyze', 'order.json'],
    ...bun,
    script: { times: { of: { 'json-text/with-conversion': { roundTrip: 30_000 } } } },
    stdout: /The rewrite\s+json-text answers it[\s\S]*Apply json-text/,
    never,
  },
  {
    name: 'near the floor nothing is to be rewritten',
    args: ['analyze', 'order.json'],
    ...bun,
    script: { times: { of: { original: { roundTrip: 11_000 }, 'with-conversion': { roundTrip: 20_000 } } } },
    stdout: /Not the clone/,
    never,
  },
  {
    name: 'without measuring no rewrite is promised for all values',
    args: ['analyze', 'order.json', '--no-measure'],
    ...bun,
    stdout: /Flatten it,\s+or post it as a message of its own/,
    never: /JSON text/,
  },
]);
