/**
 * Advice for real payloads: whole runs with the default budget, on Node and Bun. `CLONE_PROF_DIST=../a/dist,../b/dist`
 * compares builds of the tool, interleaved run by run; by default this checkout's own. Then mitata and tinybench on
 * the same rewrites (rivals.ts); `ADVICE_RIVALS=0` omits them. `ADVICE_GROUP=held-out`: the payloads of one group;
 * `ADVICE_ONLY=cldr`: those with this in their names.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { provision } from '../../src/runtimes/provision/provision.ts';
import type { Row } from '../table.ts';
import { bundle } from './bundle.ts';
import { type AdviceRun, runOf } from './one-run.ts';
import { type Group, groupsOf, writeRealData } from './real-data.ts';
import { rivals } from './rivals.ts';
import { runRow, summaryRows } from './summary.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'advice');
const { CLONE_PROF_DIST, CLONE_PROF_SEED, ADVICE_GROUP, ADVICE_ONLY = '', ADVICE_RIVALS } = process.env;
const BUILDS = (CLONE_PROF_DIST ?? join(root, 'dist')).split(',').map((dist) => resolve(dist));
const SEED = Number(CLONE_PROF_SEED ?? 1);

interface GroupRun extends AdviceRun {
  group: Group;
}

/** All that is asked for, one after the other. */
export async function adviceRuns(): Promise<GroupRun[]> {
  await bundle(root, folder);
  const runs: GroupRun[] = [];
  for (const group of groupsOf(ADVICE_GROUP)) runs.push(...(await runsOf(group)));
  return runs;
}

export async function advice(): Promise<Row[]> {
  const groups = groupsOf(ADVICE_GROUP);
  const runs = await adviceRuns();
  const rows = BUILDS.flatMap((dist) => {
    const own = runs.filter((run) => run.dist === dist);
    const summaries = groups.flatMap((group) =>
      summaryRows(
        `${nameOf(dist)}, ${group}`,
        own.filter((run) => run.group === group),
      ),
    );
    return [...own.map((run) => runRow(nameOf(dist), run)), ...summaries];
  });
  return ADVICE_RIVALS === '0' ? rows : [...rows, ...(await rivals(runs, folder, SEED))];
}

async function runsOf(group: Group): Promise<GroupRun[]> {
  const files = Object.entries(await writeRealData(join(folder, 'payloads'), group));
  const runtimes = [
    { name: 'node', binary: process.execPath },
    { name: 'bun', binary: (await provision('bun@1.4.5')).binary },
  ];
  const runs: GroupRun[] = [];
  for (const [payload, file] of files.filter(([name]) => name.includes(ADVICE_ONLY)))
    for (const runtime of runtimes)
      for (const dist of BUILDS)
        runs.push({ ...(await runOf({ dist, payload, file, runtime }, folder, SEED)), group });
  return runs;
}

/** The folder of the checkout. */
export const nameOf = (dist: string) => basename(dirname(dist));
