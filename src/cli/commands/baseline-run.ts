import { moveBaseline } from '../../app/gate/baseline.ts';
import type { Baseline, CheckFailure } from '../../model/check.ts';
import { type ErrorCode, ToolError, USAGE_CODES } from '../../model/errors.ts';
import { baselineChanges } from '../../reporters/check/changes.ts';
import { baselineText, readBaseline } from '../../store/baseline-file.ts';
import { type GateOptions, type GateSession, withSession } from '../gate-session.ts';
import { EXIT } from '../main.ts';
import { lookOf, write, writeOutputFile } from '../output.ts';
import type { Services } from '../services.ts';
import type { World } from '../world.ts';

/** `clone-prof baseline`, and `check --accept`: writes the facts of now and prints what moved. */
export function runBaseline(options: GateOptions, services: Services, world: World): Promise<number> {
  return withSession(options, null, services, world, (session) => move(options, session, world));
}

async function move(options: GateOptions, session: GateSession, world: World): Promise<number> {
  const { request, keepSample, tools, progress, baselinePath, baselineFile, signal } = session;
  const old = await readable(session);
  const isWhole = options.payloads.length === 0;
  const { baseline, changes, failures } = await moveBaseline(old, isWhole, { ...request, keepSample }, tools);
  progress.stop();
  if (signal.aborted) return EXIT.interrupted;
  for (const { payload, message } of failures) {
    progress.listen({ type: 'warning', text: `${payload}: ${message}` });
  }
  if (changes.length > 0) writeOutputFile(baselinePath, baselineText(baseline), world.cwd());
  await write(world.stdout, baselineChanges(baselineFile, changes, lookOf(world.stdout, world.env)));
  return exitOf(failures);
}

/** A baseline that cannot be read (a merge went wrong, say) is written anew. */
async function readable({ baselinePath, baselineFile, progress }: GateSession): Promise<Baseline | null> {
  try {
    return await readBaseline(baselinePath, baselineFile);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'config-bad') throw error;
    progress.listen({ type: 'warning', text: error.message });
    return null;
  }
}

function exitOf(failures: readonly CheckFailure[]): number {
  if (failures.length === 0) return EXIT.ok;
  return failures.some(({ code }) => USAGE_CODES.has(code as ErrorCode)) ? EXIT.usage : EXIT.failure;
}
