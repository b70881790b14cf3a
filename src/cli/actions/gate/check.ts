import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { BaseRequest } from '../../../app/gate/base.ts';
import { type CheckRequest, check } from '../../../app/gate/check.ts';
import type { TriesByWord } from '../../../app/gate/remedies.ts';
import { answerOf, mergeChecks } from '../../../app/gate/shards.ts';
import { factsOnly } from '../../../core/gate/baseline.ts';
import type { CheckReport, Shard } from '../../../model/documents/check.ts';
import { ToolError } from '../../../model/errors.ts';
import type { CheckFormat } from '../../../model/gate/check.ts';
import { CHECK_REPORTERS } from '../../../reporters/registry.ts';
import { wordsOf } from '../../../rule-book/wording.ts';
import type { Services } from '../../../services/services.ts';
import { lineOfValue } from '../../../sources/line.ts';
import { baselineText, readBaseline } from '../../../store/baseline-file.ts';
import { readDocument } from '../../../store/document.ts';
import { CHECK } from '../../../store/documents.ts';
import type { CheckOptions } from '../../options/check.ts';
import { EXIT, isUsageCode } from '../../session/exit-code.ts';
import {
  type Destination,
  type Draw,
  FILE_OPTIONS,
  openDestinations,
  writeEach,
} from '../../session/output.ts';
import { sayReasons } from '../../session/reasons.ts';
import { type Session, withSession } from '../../session/session.ts';
import type { World } from '../../session/world.ts';
import { contractWithBaseline } from './base-contract.ts';
import { checkReasons } from './check-reasons.ts';
import { codecFiles } from './codec-files.ts';
import { askedOf, configHere, type GateInputs, gateInputs, hashOf } from './gate-inputs.ts';

/** `clone-prof check`, and its --init, --merge and --accept. */
export async function runCheck(options: CheckOptions, services: Services, world: World): Promise<number> {
  if (options.init) return (await import('../init/init.ts')).runInit(options, world);
  if (options.accept) return (await import('./baseline.ts')).runBaseline(options, services, world);
  const shard = options.shard === null ? null : shardIn(options.shard);
  const inputs = [...options.payloads, ...(options.merge ?? [])];
  const destinations = openDestinations(options.outputs, inputs, world);
  if (options.merge) {
    const { expect } = options;
    const expected = expect === null ? null : await hashExpected(expect, options, services, world);
    return mergeReports(inputs, expected, destinations, world);
  }
  return withSession(services, world, async (session) => {
    const inputs = await gateInputs(session, options, shard);
    const base = options.base === null ? null : await baseOf(inputs, options.base, options, shard, session);
    const named = {
      tries: await triesIn(inputs, session),
      codecs: codecFiles(inputs, options.fixCodec, session),
    };
    const report = await checkIn(inputs, base, named, options, shard);
    session.progress.stop();
    if (session.signal.aborted) throw new ToolError('interrupted');
    return writeReport(report, destinations, world, inputs.config.folder);
  });
}

/** Loaded when asked for: most checks compare with a file. */
async function baseOf(
  { config, request, asked }: GateInputs,
  ref: string,
  { payloads, runtimes, acceptConfig, config: named, ...fetching }: CheckOptions,
  shard: Shard | null,
  session: Session,
): Promise<BaseRequest> {
  const { baseRequest } = await import('./base-inputs.ts');
  const wanted = { ref, asked, payloads, runtimes, named, acceptConfig, isWhole: payloads.length === 0 };
  return baseRequest({ ...wanted, config, request, shard, fetching }, session);
}

async function checkIn(
  { request, tools, baselinePath, baselineFile, config, configHash, asked }: GateInputs,
  base: BaseRequest | null,
  named: Pick<CheckRequest, 'tries' | 'codecs'>,
  { budgetMs, totalMs, seed, runtimes }: CheckOptions,
  shard: Shard | null,
): Promise<CheckReport> {
  const baseline = base ? null : await readBaseline(baselinePath, baselineFile);
  if (baseline === null && config.needsBaseline && !base)
    throw new ToolError('baseline-missing', { file: baselineFile });
  const inputs = {
    config: configHash,
    baseline: base ? base.commit : baseline && hashOf(baselineText(factsOnly(baseline))),
    baselineFile: config.baseline,
  };
  const machineBytes = tools.machine.memoryBytes;
  const lineOf: CheckRequest['lineOf'] = (recipe, steps) => lineOfValue(recipe, steps, config.folder);
  const policies = { newPolicy: config.new, undecided: config.undecided };
  const contract = baseline && contractWithBaseline(config, asked, baseline, runtimes);
  const against = { baseline, base, contract, ...policies, shard, inputs, ...named };
  return check({ ...request, ...against, budgetMs, totalMs, seed, machineBytes, lineOf }, tools);
}

/** The rewrites that the config names. @throws ToolError of the first that is not there */
async function triesIn(
  { request: { units }, config: { folder } }: GateInputs,
  { services, workdir }: Session,
): Promise<TriesByWord> {
  const words = new Set(units.flatMap(({ entry }) => entry.remedies));
  const loaded = [...words].map(
    async (word) => [word, await services.loadTries([word], { workdir, cwd: folder })] as const,
  );
  return new Map(await Promise.all(loaded));
}

/** "2/4" -> the second of four. */
function shardIn(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw new ToolError('usage', { detail: `--shard: '${text}' is not a valid shard. Write it like 1/4` });
}

/** What reports of shards say of this config. */
const hashExpected = (file: string, options: CheckOptions, services: Services, world: World) =>
  withSession(services, world, async (session) => {
    const config = await configHere(session, { config: file });
    return askedOf(config, { ...options, payloads: [] }, world.cwd()).configHash;
  });

async function mergeReports(
  named: readonly string[],
  expected: string | null,
  destinations: readonly Destination<CheckFormat>[],
  world: World,
): Promise<number> {
  const parts = await Promise.all(
    named.map(async (file) => ({
      file,
      report: await readDocument(resolve(world.cwd(), file), file, CHECK),
    })),
  );
  return writeReport(mergeChecks(parts, expected), destinations, world, world.cwd());
}

const EXITS = { ok: EXIT.ok, failed: EXIT.gate, unreadable: EXIT.usage, unmeasured: EXIT.failure } as const;

/** Writes every format that was asked for. */
async function writeReport(
  report: CheckReport,
  destinations: readonly Destination<CheckFormat>[],
  world: World,
  folder: string,
): Promise<number> {
  const words = wordsOf();
  const inRepository = withPrefix(report, relative(world.env.GITHUB_WORKSPACE ?? world.cwd(), folder));
  const drawOf = async ({ format }: Destination<CheckFormat>): Promise<Draw> => {
    const shown = NEEDS_REPOSITORY.includes(format) ? inRepository : report;
    const reporter = await CHECK_REPORTERS[format]();
    return (renderOptions) => reporter(shown, renderOptions, words);
  };
  const unwritten = await writeEach(destinations, drawOf, world);
  const summary = world.env.GITHUB_STEP_SUMMARY;
  if (summary && destinations.some(({ format }) => format === 'github')) {
    const markdown = await CHECK_REPORTERS.markdown();
    await appendSummary(summary, markdown(report, FILE_OPTIONS, words), world);
  }
  await sayReasons(checkReasons(report), world);
  return EXITS[answerOf(report, isUsageCode)] || unwritten;
}

/** Readers of these formats resolve files from the root of the repository. */
const NEEDS_REPOSITORY: readonly CheckFormat[] = ['github', 'sarif'];

function withPrefix(report: CheckReport, prefix: string): CheckReport {
  if (prefix === '') return report;
  const inside = <T extends { file: string | null }>(one: T): T =>
    one.file === null ? one : { ...one, file: `${prefix}/${one.file}`.replaceAll('\\', '/') };
  return { ...report, results: report.results.map(inside), failures: report.failures.map(inside) };
}

/** The job summary is an extra: that it cannot be written must not fail the gate. */
async function appendSummary(file: string, markdown: string, world: World): Promise<void> {
  try {
    appendFileSync(file, markdown);
  } catch (error) {
    await world.stderr.line(`warning: no job summary: ${(error as Error).message}`);
  }
}
