import { resolve } from 'node:path';
import { mergeChecks } from '../../../core/gate/check-report.ts';
import { CHECK_FORMATS } from '../../../model/gate/limits.ts';
import { checkIn } from '../../../services/gate/check.ts';
import { askedOf, type CheckQuery, configHere, type GateQuery } from '../../../services/gate/gate-request.ts';
import type { Services } from '../../../services/services.ts';
import { readDocument } from '../../../store/document.ts';
import { CHECK } from '../../../store/documents.ts';
import type { CheckSettings } from '../../options/check.ts';
import { measuredOutputs } from '../../options/outputs.ts';
import { namesOrAll } from '../../options/shared.ts';
import { CommandFiles } from '../../session/command-files.ts';
import { withSession } from '../../session/session.ts';
import type { World } from '../../session/world.ts';
import { openCheckOutput } from './check-output.ts';
import { codecWriter } from './fix-codec.ts';

/** By name: a setting that nothing reads fails a test. */
export const checkQuery = (settings: CheckSettings): CheckQuery => ({
  ...gateQuery(settings),
  runtimes: namesOrAll(settings.runtimes),
  budgetMs: settings.budgetMs,
  totalMs: settings.totalMs,
  seed: settings.seed,
  shard: settings.shard,
  base: settings.base,
});

/** Settings of `check` and `baseline`. */
export const gateQuery = (settings: GateQuery): GateQuery => ({
  payloads: settings.payloads,
  config: settings.config,
  timeoutMs: settings.timeoutMs,
  offline: settings.offline,
  projectNpmrc: settings.projectNpmrc,
  weakIntegrity: settings.weakIntegrity,
});

/** `clone-prof check`: settings, one request, a report, written. */
export async function runCheck(settings: CheckSettings, world: World, services: Services): Promise<number> {
  const query = checkQuery(settings);
  return withSession(services, world, async (session) => {
    session.files.reads(query.payloads);
    const write = openCheckOutput(measuredOutputs(CHECK_FORMATS, settings), session.files, world);
    const { report, folder } = await checkIn(session, query, settings.fixCodec ? codecWriter(session) : null);
    session.progress.stop();
    return write(report, folder);
  });
}

/** `clone-prof check --merge`: the reports of all shards as one. */
export async function runMerge(settings: CheckSettings, world: World, services: Services): Promise<number> {
  const { expect, timeoutMs, merge } = settings;
  const query = checkQuery(settings);
  const files = [...query.payloads, ...merge];
  const inputs = new CommandFiles(world.cwd(), files);
  const write = openCheckOutput(measuredOutputs(CHECK_FORMATS, settings), inputs, world);
  // What reports of shards say of this config.
  const expected =
    expect === null
      ? null
      : await withSession(services, world, async (session) => {
          const config = await configHere(session, expect, timeoutMs);
          return askedOf(config, { ...query, payloads: [] }, world.cwd()).configHash;
        });
  const parts = await Promise.all(
    files.map(async (file) => ({
      file,
      report: await readDocument(resolve(world.cwd(), file), file, CHECK, { timeoutMs }),
    })),
  );
  return write(mergeChecks(parts, expected), world.cwd());
}
