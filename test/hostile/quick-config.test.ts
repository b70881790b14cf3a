/** Configs in the working folder and above: code is named before it runs, and nothing beyond the repository is used. */
import { testQuick } from './corpus.ts';

const EVIL = `import { writeFileSync } from 'node:fs';
  writeFileSync(new URL('./EVIL', import.meta.url), 'EVIL'); export default { limits: { maxBytes: '1 B' } };`;
const GOOD = "export default { payloads: ['x.json'] };";
const STRICT = JSON.stringify({ limits: { maxBytes: ['error', '1 B'] } });
const x = { 'x.json': '[1, 2, 3]' };
const inA = { 'repo/a/x.json': '[1, 2, 3]' };
const check = ['check', 'x.json'];
const kept = /limits? kept/;

testQuick('config', [
  ...['mjs', 'js', 'ts'].map((ending) => ({
    name: `code is named on stderr: .${ending}`,
    args: ['check'],
    files: { ...x, [`clone-prof.config.${ending}`]: GOOD },
    exit: 0,
    stderr: new RegExp(`^note: running clone-prof\\.config\\.${ending}$`),
    stdout: kept,
  })),
  {
    name: 'data is not',
    args: ['check'],
    files: { ...x, 'clone-prof.config.json': '{"payloads":["x.json"]}' },
    exit: 0,
    stderr: null,
    stdout: kept,
  },
  {
    name: 'code with a hostile name is named escaped',
    args: ['check', '--config', 'c\u001b[31m\u202e.mjs'],
    files: { ...x, 'c\u001b[31m\u202e.mjs': GOOD },
    exit: 0,
    stderr: /^note: running c\\u001b\[31m\\u202e\.mjs$/,
  },
  ...['mjs', 'js', 'ts'].map((ending) => ({
    name: `code one folder up, without a repository: .${ending}`,
    args: check,
    folder: 'repo/a',
    files: { ...inA, [`repo/clone-prof.config.${ending}`]: EVIL },
    exit: 0,
    stderr: null,
    stdout: kept,
    never: /EVIL/,
  })),
  {
    name: 'code above the root of the repository',
    args: check,
    folder: 'repo/a',
    files: { ...inA, 'repo/.git/HEAD': 'ref: x', 'clone-prof.config.mjs': EVIL },
    exit: 0,
    stderr: null,
    stdout: kept,
    never: /EVIL/,
  },
  {
    name: 'data above the root of the repository',
    args: check,
    folder: 'repo/a',
    files: { ...inA, 'repo/.git/HEAD': 'ref: x', 'clone-prof.config.json': STRICT },
    exit: 0,
    stderr: null,
    stdout: kept,
  },
  {
    name: 'a package.json above the root of the repository',
    args: check,
    folder: 'repo/a',
    files: { ...inA, 'repo/.git/HEAD': 'ref: x', 'package.json': `{"clone-prof":${STRICT}}` },
    exit: 0,
    stderr: null,
    stdout: kept,
  },
  {
    name: 'data one folder up, without a repository',
    args: check,
    folder: 'repo/a',
    files: { ...inA, 'repo/clone-prof.config.json': STRICT },
    exit: 0,
    stderr: null,
    stdout: kept,
  },
  {
    name: 'code at the root of the repository is found, and named',
    args: check,
    folder: 'repo/a',
    files: { ...inA, 'repo/.git/HEAD': 'ref: x', 'repo/clone-prof.config.mjs': GOOD },
    exit: 0,
    stderr: /^note: running \.\.\/clone-prof\.config\.mjs$/,
  },
  {
    name: 'the root of a work tree of git is a file',
    args: check,
    folder: 'repo/a',
    files: { ...inA, 'repo/.git': 'gitdir: /elsewhere', 'clone-prof.config.mjs': EVIL },
    exit: 0,
    stderr: null,
    stdout: kept,
    never: /EVIL/,
  },
  {
    name: 'an inner repository ends the search',
    args: check,
    folder: 'repo/a',
    files: { ...inA, '.git/HEAD': 'x', 'repo/a/.git/HEAD': 'x', 'repo/clone-prof.config.mjs': EVIL },
    exit: 0,
    stderr: null,
    stdout: kept,
    never: /EVIL/,
  },
  {
    name: 'baseline names it too',
    args: ['baseline', 'x.json'],
    files: { ...x, 'clone-prof.config.mjs': GOOD },
    exit: 0,
    stderr: /^note: running clone-prof\.config\.mjs$/,
  },
  {
    name: 'check --init runs none',
    args: ['check', '--init'],
    files: { ...x, 'clone-prof.config.mjs': EVIL },
    exit: 0,
    stderr: null,
    stdout: /^kept {2}clone-prof\.config\.mjs$/m,
    shows: ['EVIL'],
    never: /EVIL/,
  },
  {
    name: 'analyze and sweep read none',
    args: ['analyze', 'x.json', '--no-measure'],
    files: { ...x, 'clone-prof.config.mjs': EVIL },
    shows: ['EVIL'],
    exit: 0,
    stderr: null,
    never: /EVIL/,
  },
  {
    name: 'a program that a config asks for is named',
    args: ['check'],
    files: { ...x, 'clone-prof.config.json': '{"payloads":["x.json"],"runtimes":["./evil"]}' },
    exit: 3,
    stderr: /^note: clone-prof\.config\.json asks for it: running \.\/evil$/,
    mostLines: 3,
  },
]);
