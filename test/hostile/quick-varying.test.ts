/** A factory that gives another value each time is told as that, never as a wrong rule book. */
import type { Described } from '../../src/model/wire/wire.ts';
import { testQuick } from './corpus.ts';

const files = { 'token.mjs': 'export const next = () => Math.random();' };
const values = { 'token#next': { id: 1, tags: 'x' } };

/** What the engine was seen to do with a later value. */
const contradicting = (varies: string | null): Partial<Described> => ({
  confirmation: { path: 'one-byte-string', evidence: 'tag', examples: [], hidden: [], refused: null },
  varies,
});
const script = (varies: string | null, more: Partial<Described> = {}) => ({
  values,
  described: { 'token#next': { ...contradicting(varies), ...more } },
});

testQuick('varying', [
  {
    name: 'another value each time: not the rules are wrong',
    args: ['analyze', 'token.mjs', '--no-measure'],
    files,
    script: script('$.id'),
    ...{ exit: 0, stderr: null },
    stdout: /unknown {2}\$\.id {2}what the engine does with it: each build gives another/,
    never: /rule book is wrong|contradicted/i,
  },
  {
    name: 'in JSON: confirmed is null, and the path is named',
    args: ['analyze', 'token.mjs', '--no-measure', '-f', 'json'],
    files,
    script: script('$.id'),
    ...{ exit: 0, stderr: null },
    stdout: /"confirmed": null[\s\S]*"unknowns": \[\s+\{\s+"path": "\$\.id",\s+"what": "value-varies"/,
  },
  {
    name: 'in Markdown',
    args: ['analyze', 'token.mjs', '--no-measure', '-f', 'markdown'],
    files,
    script: script('$.id'),
    ...{ exit: 0, stderr: null },
    stdout: /`\$\.id` what the engine does with it: each build gives another value/,
    never: /rule book is wrong|contradicted/i,
  },
  {
    name: 'an equal value that is stored otherwise: not the rules are wrong',
    args: ['analyze', 'token.mjs', '--no-measure'],
    files,
    script: script(null, { shownOther: '$.tags' }),
    ...{ exit: 0, stderr: null },
    stdout: /unknown {2}\$\.tags {2}what the engine does with it: it stores builds in several/,
    never: /rule book is wrong|contradicted/i,
  },
  {
    name: 'values that are built when the thread has received one are told and timed apart',
    args: ['analyze', 'token.mjs', '-b', '1s', '-r', 'node'],
    files,
    script: {
      values,
      described: { 'token#next': { afterReceiving: '$' } },
      times: { jitter: 0.02, of: { 'after-receiving': { roundTrip: 50_000 } } },
    },
    ...{ exit: 0, stderr: null },
    stdout: /later +A thread that has received such a message stores[\s\S]+Posting it then: 2\.0x faster \(/,
  },
  {
    name: 'the same value each time: the contradiction stays loud',
    args: ['analyze', 'token.mjs', '--no-measure'],
    files,
    script: script(null),
    ...{ exit: 0, stderr: null },
    stdout: /Contradicted by the engine: the rule book is wrong/,
    never: /each build gives another/,
  },
]);
