/** What `check --init` writes is in `cases/check/init.md`; here its workflows are read by a YAML parser: that of Bun. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PINNED } from '../../src/gate/init/init.ts';
import { type Case, readCases } from '../cases/case-file.ts';
import { inCliFolder } from '../support/run-cli.ts';
import { missing } from '../support/runtimes.ts';
import { parsedYaml } from '../support/yaml.ts';

interface Job {
  steps: { uses?: string; run?: string }[];
  defaults?: { run: Record<string, string> };
}

interface Workflow {
  on: string;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const parsed = (texts: readonly string[]) => parsedYaml(texts) as Workflow[];

/** The workflows that are there after the commands of a case. */
const workflowsOf = ({ settings, steps }: Case): Promise<string[]> =>
  inCliFolder(settings, async (folder) => {
    for (const step of steps) {
      if ('files' in step) await folder.put(step.files);
      else if ('code' in step) step.code(folder.path);
      else await folder.run(step.args);
    }
    const at = join(folder.path, '.github/workflows');
    return readdirSync(at).map((name) => readFileSync(join(at, name), 'utf8'));
  });

const skip = missing('bun@1.4.5');
const CASES = readCases(readFileSync(new URL('../cases/check/init.md', import.meta.url), 'utf8'));

/** Without cases that are refused, or keep a workflow of the user. */
const WRITTEN = CASES.filter(({ name }) => !/: refused: |: a config and a workflow$/.test(name));

test('each workflow is YAML: one or two jobs of steps, which may only read', { skip }, async () => {
  const texts = (await Promise.all(WRITTEN.map(workflowsOf))).flat();
  assert.equal(texts.length, WRITTEN.length);
  assert.ok(texts.length >= 20);
  for (const { on, permissions, jobs } of parsed(texts)) {
    assert.deepEqual([on, permissions], ['pull_request', { contents: 'read' }]);
    assert.ok(['check', 'shard,check'].includes(Object.keys(jobs).join()));
    for (const { steps } of Object.values(jobs))
      for (const { uses, run } of steps) assert.notEqual(typeof uses, typeof run, `${uses} ${run}`);
  }
});

test('each action is named by a commit, and its release stands behind it', () => {
  for (const [action, commit] of Object.entries(PINNED)) {
    assert.match(commit, /^[0-9a-f]{40} # v\d+\.\d+\.\d+$/, action);
  }
});

test('a folder whose name is YAML and an expression of GitHub stays a name', { skip }, async () => {
  const folder = `a: "b" # \${{ github.token }}`;
  const files = { '.git/HEAD': '', [`${folder}/package.json`]: '{}' };
  await inCliFolder({ files, folder }, async ({ path, run }) => {
    const { stdout } = await run(['check', '--init']);
    const at = join(path, '.github/workflows');
    assert.deepEqual(readdirSync(at), ['clone-prof-a___b________github.token___.yml']);
    const [workflow] = parsed(readdirSync(at).map((name) => readFileSync(join(at, name), 'utf8')));
    const name = workflow?.jobs.check?.defaults?.run['working-directory'];
    assert.equal(name?.replaceAll(`\${{ '\${{' }}`, `\${{`), folder);
    assert.doesNotMatch(name ?? '', /\$\{\{ github/);
    assert.doesNotMatch(stdout, /\n\n/);
  });
});
