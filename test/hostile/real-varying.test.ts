/** Factories that use counters and random numbers, on real runtimes. */
import { testHostileGuests } from './corpus.ts';

const FACTORIES = `let n = 0;
export const turns = () => (n++ % 2 ? { a: 1, b: 'x' } : [{ a: { b: 1 } }]);
let m = 0;
export const texts = () => (m++ % 2 ? 'a'.repeat(1000) : '\\u2192'.repeat(1000));
const some = (most) => Math.floor(Math.random() * most) + 20;
export const lengths = () =>
  Array.from({ length: some(200) }, (_, id) => ({ id, at: Math.random(), ...(Math.random() < 0.5 && { note: 'x' }) }));
`;
const files = { 'p.mjs': FACTORIES };
const quiet = { exit: 0, stderr: null } as const;

testHostileGuests('varying', [
  {
    name: 'two kinds of values and of text in turn, on Node',
    files,
    args: ['analyze', 'p.mjs', '-e', 'turns', 'texts', '--no-measure', '--details', '-r', 'node'],
    ...quiet,
    stdout: /(?:each\s+build\s+gives\s+another[\s\S]*){2}/,
    never: /rule book is wrong|contradicted/i,
  },
  {
    name: 'two kinds of values in turn, on Bun',
    needs: ['bun@1.4.5'],
    files,
    args: ['analyze', 'p.mjs', '-e', 'turns', '--no-measure', '--details', '-r', '<bun@1.4.5>'],
    ...quiet,
    stdout: /each build gives another/,
    never: /rule book is wrong|contradicted/i,
  },
  {
    name: 'random lengths and keys: rewrites are proven on the value that they rewrote',
    files,
    args: ['analyze', 'p.mjs', '-e', 'lengths', '-b', '100ms', '--details', '-r', 'node'],
    ...quiet,
    stdout: /json-text/,
    never: /lossy|changed the payload itself|rule book is wrong/i,
  },
]);
