import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findCommit, staysInside, writeBaseFolder } from '../../../src/gate/repository/commit.ts';
import { inRepository, putFiles, type RepositoryFiles, runGit } from '../../support/git-repository.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Writes the files of a commit into the folder `base` of a new one. @param made makes the commit: its name */
async function written(
  files: RepositoryFiles,
  body: (folder: string, notWritten: Map<string, string>, root: string) => unknown,
  made: (root: string, target: string) => unknown = () => 'main',
): Promise<void> {
  await inRepository(files, async (root) => {
    const target = tempFolder('base');
    const ref = String(made(root, target) ?? 'main');
    const options = { cwd: root, env: { ...process.env, HOME: target } };
    const folder = join(target, 'base');
    const { notWritten } = await writeBaseFolder(await findCommit(ref, options), folder, options);
    await body(folder, notWritten, root);
  });
}

const gitWith = (cwd: string, input: string | Buffer, ...args: string[]) =>
  execFileSync('git', args, { cwd, input, encoding: 'utf8' }).trim();

test('files of the commit are written, regardless of the checkout', async () => {
  const large = Buffer.alloc(300_000, 'x\n');
  const files = { 'a.json': '[1]', 'deep/er/b ä\n.txt': 'b', 'empty.txt': '', 'large.bin': large };
  await written(
    files,
    (folder, notWritten) => {
      for (const [name, text] of Object.entries(files)) {
        assert.deepEqual(readFileSync(join(folder, name)), Buffer.from(text), name);
      }
      assert.equal(notWritten.size, 0);
    },
    (root) => putFiles(root, { 'a.json': '[2]', 'new.json': '3' }),
  );
});

test('files that are not written are listed with the reason', async () => {
  const files = {
    'out.json': { link: '/etc/hostname' },
    'pointer.json': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n',
    'inside.json': { link: 'a.json' },
    'a.json': '1',
  };
  await written(files, (folder, notWritten) => {
    assert.match(notWritten.get('out.json') ?? '', /symbolic link/);
    assert.match(notWritten.get('pointer.json') ?? '', /Git LFS/);
    assert.equal(notWritten.size, 2);
    assert.deepEqual(readdirSync(folder).sort(), ['a.json', 'inside.json']);
  });
});

test('links are made only if they cannot lead outside', () => {
  const rows: [path: string, target: string, stays: boolean][] = [
    ['a', 'b', true],
    ['a', './b/c', true],
    ['x/a', '../b', true],
    ['x/a', '..', true],
    ['a', '..', false],
    ['a', '../b', false],
    ['x/a', '../../b', false],
    ['x/a', 'y/../../b', false],
    ['a', '/etc/passwd', false],
    ['a', 'C:\\x', false],
    ['a', '', false],
  ];
  for (const [path, target, stays] of rows)
    assert.equal(staysInside(path, target), stays, `${path} -> ${target}`);
});

test('no filter of the user runs, and no line end is converted', async () => {
  const files = { '.gitattributes': '* text eol=crlf\n*.f filter=evil\n*.id ident\n', 'a.txt': 'a\nb\n' };
  await written(
    { ...files, 'b.f': '1\n', 'c.id': '$Id$\n' },
    (folder, _, root) => {
      for (const name of ['.gitattributes', 'a.txt', 'b.f', 'c.id'])
        assert.equal(
          readFileSync(join(folder, name), 'utf8'),
          runGit(root, 'cat-file', 'blob', `HEAD:${name}`),
        );
      assert.deepEqual(readdirSync(dirname(folder)).sort(), ['.gitconfig', 'base']);
    },
    (_, target) =>
      putFiles(target, {
        '.gitconfig': `[core]\nautocrlf = true\n[filter "evil"]\nsmudge = "touch '${join(target, 'evil.txt')}' && cat"\nrequired = true\n`,
      }),
  );
});

test('a file that git lacks, and one whose name does not fit, are listed; the others are written', async () => {
  const long = `${'n'.repeat(300)}.json`;
  await written(
    { 'a.json': '1' },
    (folder, notWritten) => {
      assert.deepEqual(readdirSync(folder), ['a.json']);
      assert.deepEqual([...notWritten.keys()].sort(), ['gone.json', long]);
      assert.match(notWritten.get('gone.json') ?? '', /git does not have its content/);
    },
    (root) => {
      const id = runGit(root, 'rev-parse', 'HEAD:a.json').trim();
      const input = `100644 blob ${id}\ta.json\n100644 blob ${'1'.repeat(id.length)}\tgone.json\n100644 blob ${id}\t${long}\n`;
      return runGit(root, 'commit-tree', '-m', 'x', gitWith(root, input, 'mktree', '--missing')).trim();
    },
  );
});

test('a tree made by hand cannot write outside of the folder', async () => {
  await written(
    { 'a.json': '1' },
    (folder) => {
      assert.deepEqual(readdirSync(dirname(folder)), ['base']);
      assert.deepEqual(readdirSync(folder), ['good.json']);
    },
    (root) => {
      const blob = runGit(root, 'rev-parse', 'HEAD:a.json').trim();
      const entry = (mode: string, name: string, id: string) =>
        Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
      const tree = (...entries: Buffer[]) =>
        gitWith(root, Buffer.concat(entries), ...'hash-object -t tree --literally -w --stdin'.split(' '));
      const inner = tree(entry('100644', 'evil.json', blob));
      const outer = [entry('40000', '..', inner), entry('40000', '.git', inner)];
      const all = tree(...outer, entry('100644', 'good.json', blob));
      return runGit(root, 'commit-tree', '-m', 'x', all).trim();
    },
  );
});
