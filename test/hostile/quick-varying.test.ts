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
const script = (varies: string | null) => ({ values, described: { 'token#next': contradicting(varies) } });

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
    name: 'the same value each time: the contradiction stays loud',
    args: ['analyze', 'token.mjs', '--no-measure'],
    files,
    script: script(null),
    ...{ exit: 0, stderr: null },
    stdout: /Contradicted by the engine: the rule book is wrong/,
    never: /each build gives another/,
  },
]);
