/** Wrong and hostile command lines and files: exit code 2 and one line. */
import { testQuick } from './corpus.ts';

testQuick('usage', [
  {
    name: 'a file that is not there',
    args: ['analyze', 'none.json'],
    exit: 2,
    stderr: /^clone-prof: none\.json: no such file/,
    stdout: /none\.json: no such file/,
  },
]);
