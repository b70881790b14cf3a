/** `remedies` of the config in `check`: a rewrite that loses something, is refused or is not there fails the gate. */
import { ToolError } from '../../src/model/errors.ts';
import { testQuick } from './corpus.ts';

const CONFIG = 'clone-prof.config.json';
const config = (remedies: string[], more: object = {}) =>
  JSON.stringify({ payloads: ['rows.json', { input: 'other.json', remedies: [] }], remedies, ...more });

const files = {
  'rows.json': '[{"id":1,"at":{"x":2}}]',
  'other.json': '[3]',
  'app/codec.mjs': 'export const apply = (value) => value;\nexport const restore = (message) => message;\n',
};

const before = [['baseline']];

testQuick('remedies', [
  {
    name: 'equal: a limit kept, of the payloads that have one',
    files: { ...files, [CONFIG]: config(['./app/codec.mjs']) },
    before,
    args: ['check', '-f', 'json'],
    exit: 0,
    stderr: null,
    stdout: /"payload": "rows",[^}]*"limit": "remedies",[^}]*"outcome": "passed"/,
    never: /"payload": "other",[^}]*"limit": "remedies"/,
  },
  {
    name: 'lossy: with the path',
    files: { ...files, [CONFIG]: config(['app/codec.mjs']) },
    before,
    args: ['check'],
    script: {
      proofs: {
        'app/codec.mjs': { equality: 'lossy', losses: [{ path: '$[0].at', what: 'object became null' }] },
      },
    },
    exit: 1,
    stderr: /^clone-prof: rows on node@24\.0\.0: remedies 1 difference, limit equal at \$\[0\]\.at/,
    stdout: /\$\[0\]\.at: app\/codec\.mjs, object became null/,
    mostLines: 3,
  },
  {
    name: 'it ends its process: failed, with the reason',
    files: { ...files, [CONFIG]: config(['app/codec.mjs']) },
    before,
    args: ['check', '-f', 'junit'],
    script: {
      fails: (ask) =>
        ask.type === 'prove' ? new ToolError('guest-exited', { detail: 'exit code 7' }) : null,
    },
    exit: 1,
    stderr: /^clone-prof: rows on node@24\.0\.0: remedies refused, limit equal/,
    mostLines: 3,
  },
  {
    name: 'not installed',
    files: { ...files, [CONFIG]: config(['msgpackr']) },
    args: ['check'],
    exit: 2,
    stderr: /msgpackr is not installed in .*npm install msgpackr/,
  },
  {
    name: 'baseline runs none of them',
    files: { ...files, [CONFIG]: config(['msgpackr']) },
    args: ['baseline'],
    exit: 0,
    stderr: null,
    mostLines: 1,
  },
]);
