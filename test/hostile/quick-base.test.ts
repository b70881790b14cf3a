/** `check --base` in repositories that a stranger made: nothing of theirs runs, nothing is fetched, one line says why. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository, putFiles, type RepositoryFiles, runGit } from '../support/git-repository.ts';
import { type QuickCase, testQuick } from './corpus.ts';

const env = { PATH: process.env.PATH ?? '' };
const CONFIG = 'clone-prof.config.json';
const files = {
  'a.json': '[1,2]',
  [CONFIG]: JSON.stringify({ limits: { time: 'off' }, payloads: ['a.json'] }),
};

/** Commits what is there, and what `more` names. */
const repository =
  (more: RepositoryFiles = {}, then: (cwd: string) => void = () => undefined) =>
  (cwd: string) => {
    makeRepository(cwd, more);
    then(cwd);
  };

const args = (ref = 'main') => ['check', '--base', ref];

/** A program that leaves a file behind when it is run. */
const RAN = 'stranger-ran';
const EVIL = { shows: ['evil.txt'], never: new RegExp(RAN) };
const evilScript = (cwd: string) => {
  const script = join(cwd, '..', `evil-${cwd.split('/').at(-1)}.sh`);
  writeFileSync(script, `#!/bin/sh\necho ${RAN} > '${cwd}/evil.txt'\ncat\n`, { mode: 0o755 });
  return script;
};

/** Compared with main, if it does not say otherwise. */
type BaseCase = Omit<QuickCase, 'args'> & Partial<Pick<QuickCase, 'args'>>;

const WRONG_REFS: [name: string, ref: string, reason: RegExp][] = [
  ['looks like an option', '--output=evil.txt', /'--output=evil\.txt' is not a commit here: write a branch/],
  ['looks like a short option', '-f', /'-f' is not a commit here/],
  ['is empty', '', /'' is not a commit here/],
  [
    'holds a line end and a terminal command',
    'main\n::error::x\u001b[31m',
    /'main\\n:\\u003aerror:\\u003ax\\u001b\[31m' is not/,
  ],
  ['holds a bidi override', 'ma\u202ein', /'ma\\u202ein' is not a commit here/],
  ['has 10,000 characters', 'x'.repeat(10_000), /'x{50}… \(10,000 characters\) …x{30}' is not a commit here/],
  ['is not there', 'no-such-branch', /'no-such-branch' is not a commit here.*nothing is fetched/],
  ['is a file', 'HEAD:a.json', /'HEAD:a\.json' is not a commit here/],
  ['is an exclusion', '^HEAD', /'\^HEAD' is not a commit here: write a branch/],
  ['is an exclusion of a parent', 'HEAD^-', /'HEAD\^-' is not a commit here/],
  ['is a range', 'main..main', /'main\.\.main' is not a commit here/],
  ['is a command', '$(echo main)', /'\$\(echo main\)' is not a commit here/],
];

const refs = WRONG_REFS.map(([name, ref, stderr]): QuickCase => {
  return { name: `a name that ${name}`, args: args(ref), files, setUp: repository(), env, exit: 2, stderr };
});

const repositories: BaseCase[] = [
  {
    name: 'a branch and a tag of one name',
    args: args('both'),
    files,
    setUp: repository({}, (cwd) => {
      runGit(cwd, 'branch', 'both');
      runGit(cwd, 'tag', 'both');
    }),
    exit: 2,
    stderr: /it names several\. Write refs\/heads\/both or refs\/tags\/both/,
  },
  {
    name: 'a branch that only the remote has',
    args: args('feature'),
    files,
    setUp: repository({}, (cwd) => runGit(cwd, 'update-ref', 'refs/remotes/origin/feature', 'HEAD')),
    exit: 2,
    stderr: /'feature' is not a commit here: write origin\/feature/,
  },
  {
    name: 'a shallow clone',
    args: args('HEAD^1'),
    files,
    setUp: repository({}, (cwd) =>
      writeFileSync(join(cwd, '.git/shallow'), runGit(cwd, 'rev-parse', 'HEAD')),
    ),
    exit: 2,
    stderr: /this clone is shallow\. .*fetch-depth: 0/,
  },
  {
    name: 'a commit that is replaced by another one',
    args: args('HEAD'),
    files: { ...files, 'a.json': JSON.stringify([1, 2, 3, 4, 5, 6, 7, 8, 9]) },
    setUp: repository({}, (cwd) => {
      const whole = runGit(cwd, 'rev-parse', 'HEAD').trim();
      putFiles(cwd, { 'a.json': '[1]' });
      runGit(cwd, 'commit', '-qam', 'small');
      runGit(cwd, 'replace', 'HEAD', whole);
    }),
    changed: { 'a.json': JSON.stringify([1, 2, 3, 4, 5, 6, 7, 8, 9]) },
    exit: 1,
    stderr: /compared with HEAD/,
    stdout: /maxBytes: .* limit \+10%/,
    mostLines: 3,
  },
  { name: 'no repository', args: args(), files, env, exit: 2, stderr: /not a git repository/ },
  {
    name: 'a repository without a commit',
    args: args('HEAD'),
    files,
    setUp: (cwd) => runGit(cwd, 'init', '-q'),
    exit: 2,
    stderr: /'HEAD' is not a commit here/,
  },
  {
    name: 'a bare repository',
    args: args('HEAD'),
    files,
    setUp: (cwd) => runGit(cwd, 'init', '-q', '--bare', '.'),
    exit: 2,
    stderr: /this repository has no working tree/,
  },
  {
    name: 'no git',
    files,
    setUp: repository(),
    env: { PATH: '/nowhere' },
    exit: 2,
    stderr: /git was not found\. .*put it on PATH/,
  },
  {
    name: 'git of a package, as npm run puts it on PATH',
    files: { ...files, 'node_modules/.bin/git': `#!/bin/sh\necho ${RAN} > evil.txt\n` },
    setUp: repository({}, (cwd) => execFileSync('chmod', ['755', join(cwd, 'node_modules/.bin/git')])),
    env: { PATH: `<cwd>/node_modules/.bin:${process.env.PATH}` },
    exit: 0,
    stderr: /compared with main/,
    ...EVIL,
  },
  {
    name: 'a hook of git started it, with another repository in the environment',
    files,
    setUp: repository(),
    env: { ...env, GIT_DIR: '/nowhere/.git', GIT_WORK_TREE: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' },
    exit: 0,
    stderr: /compared with main/,
  },
];

/** What a checkout of the commit would run. */
const programs: BaseCase[] = [
  {
    name: 'a filter of .gitattributes',
    files: { ...files, '.gitattributes': '* filter=evil\n' },
    setUp: repository({}, (cwd) => {
      for (const kind of ['smudge', 'clean', 'process']) {
        runGit(cwd, 'config', `filter.evil.${kind}`, evilScript(cwd));
      }
    }),
    exit: 0,
    stderr: /compared with main/,
    ...EVIL,
  },
  {
    name: 'hooks',
    files,
    setUp: repository({}, (cwd) => {
      for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
        putFiles(cwd, { [`.git/hooks/${hook}*`]: `#!/bin/sh\necho ${RAN} > '${cwd}/evil.txt'\n` });
      }
    }),
    exit: 0,
    stderr: /compared with main/,
    ...EVIL,
  },
  {
    name: 'a file system monitor, a pager, an alias, an editor, a credential helper',
    files,
    setUp: repository({}, (cwd) => {
      const script = evilScript(cwd);
      for (const key of ['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'diff.external']) {
        runGit(cwd, 'config', key, script);
      }
      for (const command of ['cat-file', 'ls-tree', 'rev-parse']) {
        runGit(cwd, 'config', `alias.${command}`, `!${script}`);
        runGit(cwd, 'config', `pager.${command}`, script);
      }
      runGit(cwd, 'config', 'credential.helper', `!${script}`);
    }),
    exit: 0,
    stderr: /compared with main/,
    ...EVIL,
  },
  {
    name: 'a partial clone whose remote is a program',
    files,
    setUp: repository({}, (cwd) => {
      const id = runGit(cwd, 'rev-parse', 'HEAD:a.json').trim();
      rmSync(join(cwd, '.git/objects', id.slice(0, 2), id.slice(2)));
      runGit(cwd, 'config', 'core.repositoryFormatVersion', '1');
      runGit(cwd, 'config', 'extensions.partialClone', 'origin');
      runGit(cwd, 'config', 'remote.origin.promisor', 'true');
      runGit(cwd, 'config', 'remote.origin.url', `ext::${evilScript(cwd)}`);
      runGit(cwd, 'config', 'protocol.ext.allow', 'always');
    }),
    exit: 3,
    stderr: /compared with main/,
    stdout: /not measured: a\.json in main: git does\s+not have its\s+content\s+here/,
    mostLines: 3,
    ...EVIL,
  },
];

const contents: BaseCase[] = [
  {
    name: 'a payload that was a link out of the repository',
    files: { [CONFIG]: files[CONFIG] },
    setUp: repository({ 'a.json': { link: '/etc/hostname' } }, (cwd) => rmSync(join(cwd, 'a.json'))),
    changed: { 'a.json': '[1]' },
    exit: 3,
    stderr: /compared with main/,
    stdout: /not measured: a\.json in main: it is a\s+symbolic\s+link that may\s+lead out/,
    mostLines: 3,
  },
  {
    name: 'a folder that was a link to the folder above',
    files: { [CONFIG]: JSON.stringify({ payloads: ['data/a.json'] }) },
    setUp: repository({ data: { link: '..' } }, (cwd) => rmSync(join(cwd, 'data'))),
    changed: { 'data/a.json': '[1]' },
    exit: 3,
    stderr: /compared with main/,
    stdout: /not measured: data in main: it is a\s+symbolic\s+link/,
    mostLines: 3,
  },
  {
    name: 'a payload in a submodule',
    files: { [CONFIG]: JSON.stringify({ payloads: ['sub/a.json'] }) },
    setUp: (cwd) => {
      mkdirSync(join(cwd, 'sub'));
      makeRepository(join(cwd, 'sub'), { 'a.json': '[1]' });
      makeRepository(cwd, {});
    },
    exit: 3,
    stderr: /compared with main/,
    stdout: /not measured: sub in main: it is a\s+submodule/,
    mostLines: 3,
  },
  {
    name: 'a payload in Git LFS: the pointer is not compared as if it were the payload',
    files: { [CONFIG]: JSON.stringify({ payloads: ['a.txt'] }) },
    setUp: repository({ 'a.txt': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n' }),
    changed: { 'a.txt': 'the text' },
    exit: 3,
    stderr: /compared with main/,
    stdout: /not measured: a\.txt in main: its content is in Git\s+LFS/,
    mostLines: 3,
  },
  {
    name: 'a payload that was malformed',
    files: { ...files, 'a.json': '{' },
    setUp: repository(),
    changed: { 'a.json': '[1]' },
    script: {},
    exit: 3,
    stderr: /compared with main/,
    stdout: /not measured: in main/,
    mostLines: 3,
  },
  {
    name: 'new: "ok" does not pass what could not be read',
    files: { [CONFIG]: JSON.stringify({ new: 'ok', payloads: ['a.json'] }) },
    setUp: repository({ 'a.json': { link: '/etc/hostname' } }, (cwd) => rmSync(join(cwd, 'a.json'))),
    changed: { 'a.json': '[1]' },
    exit: 3,
    stderr: /compared with main/,
    stdout: /symbolic\s+link/,
    mostLines: 3,
  },
  {
    name: 'a payload outside of the repository',
    args: ['check', '--base', 'main', '../outside.json'],
    files: { 'in/clone-prof.config.json': '{}', 'outside.json': '[1]' },
    setUp: (cwd) => makeRepository(join(cwd, 'in'), {}),
    folder: 'in',
    exit: 3,
    stderr: /compared with main/,
    stdout: /not measured: it is outside of the\s+repository/,
    mostLines: 3,
  },
  {
    name: 'a config that could not be read then: what it demanded is not known',
    files: { ...files, [CONFIG]: '{' },
    setUp: repository(),
    changed: { [CONFIG]: files[CONFIG] },
    exit: 1,
    stderr: /compared with main/,
    stdout: /config: unreadable \(.*in main, now readable/s,
    mostLines: 3,
  },
  {
    name: 'a config that is code and imports a file',
    files: {
      'a.json': '[1,2]',
      'clone-prof.config.mjs':
        "import { limits } from './limits.mjs'; export default { limits, payloads: ['a.json'] };",
      'limits.mjs': "export const limits = { time: 'off' };",
    },
    setUp: repository(),
    exit: 0,
    stderr: [/running clone-prof.config.mjs$/m, /compared with main/, /running .* of the other commit/],
    stdout: /limits kept/,
    mostLines: 3,
  },
  {
    name: 'a folder that the commit does not have',
    files: { 'README.md': 'x' },
    setUp: repository(),
    changed: { 'a.json': '[1]', [CONFIG]: files[CONFIG] },
    folder: 'new',
    exit: 0,
    stderr: /compared with main/,
    stdout: /not in main, nor in HEAD: it is generated/,
    mostLines: 3,
  },
  {
    name: 'a glob that leaves the ending open',
    files: {
      [CONFIG]: JSON.stringify({ payloads: [{ input: 'data/*', as: 'text' }] }),
      'data/a.one': 'one',
      'data/b': 'two',
    },
    setUp: repository(),
    exit: 0,
    stderr: /compared with main/,
    stdout: /14 limits kept/,
  },
  {
    name: 'two payloads of one name in the commit only',
    files: {
      [CONFIG]: JSON.stringify({ payloads: [{ id: 'x', input: 'a.json' }, 'b/x.json'] }),
      'a.json': '[1]',
      'b/x.json': '[2]',
    },
    setUp: repository(),
    changed: {
      [CONFIG]: JSON.stringify({
        payloads: [
          { id: 'y', input: 'a.json' },
          { id: 'z', input: 'b/x.json' },
        ],
      }),
    },
    exit: 3,
    stderr: [/compared with main/, /--base: main cannot be read: .* are both called 'x'/],
  },
  {
    name: 'stdin',
    args: ['check', '--base', 'main', '-'],
    files,
    setUp: repository(),
    stdin: '[1]',
    exit: 2,
    stderr: /--base: stdin is in no commit/,
  },
  {
    name: 'with --accept',
    args: ['check', '--base', 'main', '--accept'],
    files,
    exit: 2,
    stderr: /--base cannot be combined with --accept/,
  },
  {
    name: 'a name of a payload that is Object.prototype’s',
    files: {
      [CONFIG]: JSON.stringify({
        payloads: [
          { id: '__proto__', input: 'a.json' },
          { id: 'constructor', input: 'b.json' },
        ],
      }),
      'a.json': '[1]',
      'b.json': '[2]',
    },
    setUp: repository(),
    exit: 0,
    stderr: /compared with main/,
    stdout: /limits kept/,
  },
];

testQuick(
  'base',
  [...refs, ...repositories, ...programs, ...contents].map((row) => ({ args: args(), env, ...row })),
);
