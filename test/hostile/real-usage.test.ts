/** Wrong and hostile command lines and files: exit code 2 and one line. */
import { testHostile } from './corpus.ts';

testHostile('usage', [
  {
    name: 'JSON that ends too early',
    args: ['analyze', 'a.json', '--no-measure', '-r', 'node'],
    files: { 'a.json': '{"a": [1, 2' },
    exit: 2,
    stderr: /^clone-prof: a\.json:1:12: not valid JSON/,
    stdout: /a\.json:1:12: not valid JSON/,
  },
]);
