import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { check } from '../../app/gate/check.ts';
import { answerOf, mergeChecks, type Shard } from '../../app/gate/shards.ts';
import type { CheckFormat, CheckReport } from '../../model/check.ts';
import { type ErrorCode, ToolError, USAGE_CODES } from '../../model/errors.ts';
import { CHECK_REPORTERS } from '../../reporters/check/index.ts';
import { wordsOf } from '../../rule-book/wording.ts';
import { lineOfValue } from '../../sources/line.ts';
import { readBaseline } from '../../store/baseline-file.ts';
import { readCheck } from '../../store/check-file.ts';
import type { Output } from '../formats.ts';
import { type GateOptions, type GateSession, withSession } from '../gate-session.ts';
import { EXIT } from '../main.ts';
import { lookOf, write, writeOutputFile } from '../output.ts';
import { plain } from '../progress.ts';
import type { Services } from '../services.ts';
import type { World } from '../world.ts';

export interface CheckOptions extends GateOptions {
  outputs: Output[];
  budgetMs: number;
  accept: boolean;
  init: boolean;
  shard: string | null;
  merge: string[] | null;
  seed: number;
}

/** `clone-prof check`: the gate, and what belongs to it. */
export async function runCheck(options: CheckOptions, services: Services, world: World): Promise<number> {
  if (options.init) return (await import('./init-run.ts')).runInit(options.payloads, world);
  if (options.merge) return mergeReports(options.merge, options, world);
  if (options.accept) return (await import('./baseline-run.ts')).runBaseline(options, services, world);
  const shard = options.shard === null ? null : shardIn(options.shard);
  return withSession(options, shard, services, world, async (session) => {
    const report = await checkIn(session, options, services.machine.memoryBytes);
    session.progress.stop();
    if (session.signal.aborted) return EXIT.interrupted;
    return deliver(report, options.outputs, world, session.config.folder);
  });
}

async function checkIn(
  session: GateSession,
  { budgetMs, seed }: CheckOptions,
  machineBytes: number,
): Promise<CheckReport> {
  const { request, keepSample, tools, baselinePath, baselineFile, config } = session;
  const baseline = await readBaseline(baselinePath, baselineFile);
  return check(
    {
      ...request,
      budgetMs,
      seed,
      machineBytes,
      keepSample,
      baseline,
      lineOf: (recipe, steps) => lineOfValue(recipe, steps, config.folder),
    },
    tools,
  );
}

/** "2/4" -> the second of four. */
function shardIn(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index: index - 1, count };
  throw new ToolError('usage', { detail: `--shard: '${text}' is no part of a whole. Write it like 1/4` });
}

async function mergeReports(files: string[], options: CheckOptions, world: World): Promise<number> {
  const named = [...files, ...options.payloads];
  const reports = await Promise.all(named.map((file) => readCheck(resolve(world.cwd(), file), file)));
  return deliver(mergeChecks(reports), options.outputs, world, world.cwd());
}

const isUsage = (code: string) => USAGE_CODES.has(code as ErrorCode);
const EXITS = { ok: EXIT.ok, failed: EXIT.gate, unreadable: EXIT.usage, unmeasured: EXIT.failure } as const;

/** Everything that was asked for in one run; the exit code is the verdict. */
async function deliver(
  report: CheckReport,
  outputs: readonly Output[],
  world: World,
  folder: string,
): Promise<number> {
  const words = wordsOf();
  const inRepository = withPrefix(report, relative(world.env.GITHUB_WORKSPACE ?? world.cwd(), folder));
  for (const { format, file } of outputs) {
    const look = file === null ? lookOf(world.stdout, world.env) : FILE_LOOK;
    const text = CHECK_REPORTERS[format](
      NEEDS_REPOSITORY.includes(format) ? inRepository : report,
      look,
      words,
    );
    if (file === null) await write(world.stdout, text);
    else writeOutputFile(file, text, world.cwd());
  }
  const summary = world.env.GITHUB_STEP_SUMMARY;
  if (summary && outputs.some(({ format }) => format === 'github')) {
    await summarize(summary, CHECK_REPORTERS.markdown(report, FILE_LOOK, words), world);
  }
  return EXITS[answerOf(report, isUsage)];
}

const FILE_LOOK = { color: false, columns: 100, unicode: true };

/** These name files to a service that knows the repository only. */
const NEEDS_REPOSITORY: readonly CheckFormat[] = ['github', 'sarif'];

function withPrefix(report: CheckReport, prefix: string): CheckReport {
  if (prefix === '') return report;
  const inside = <T extends { file: string | null }>(one: T): T =>
    one.file === null ? one : { ...one, file: `${prefix}/${one.file}`.replaceAll('\\', '/') };
  return { ...report, results: report.results.map(inside), failures: report.failures.map(inside) };
}

/** The job summary is a courtesy: that it cannot be written must not fail the gate. */
async function summarize(file: string, markdown: string, world: World): Promise<void> {
  try {
    appendFileSync(file, markdown);
  } catch (error) {
    await write(world.stderr, `warning: no job summary: ${plain((error as Error).message)}\n`);
  }
}
