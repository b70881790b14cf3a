import { moveBaseline } from '../../../app/gate/baseline.ts';
import { hasSamples } from '../../../core/gate/baseline.ts';
import type { Baseline } from '../../../model/documents/baseline.ts';
import type { CheckFailure } from '../../../model/documents/check.ts';
import { ToolError } from '../../../model/errors.ts';
import { baselineChanges } from '../../../reporters/check/terminal.ts';
import type { Services } from '../../../services/services.ts';
import { fileKindOf } from '../../../sources/find.ts';
import { baselineText, readBaseline } from '../../../store/baseline-file.ts';
import type { GateOptions } from '../../options/check.ts';
import { refuseWithoutRecording } from '../../options/values.ts';
import { EXIT, isUsageCode } from '../../session/exit-code.ts';
import { printResult } from '../../session/output.ts';
import { openOutputFile } from '../../session/output-file.ts';
import { sayReasons } from '../../session/reasons.ts';
import { type Session, withSession } from '../../session/session.ts';
import type { World } from '../../session/world.ts';
import { demandsNow } from './base-contract.ts';
import { failureReason } from './check-reasons.ts';
import { type GateInputs, gateInputs } from './gate-inputs.ts';

/** `clone-prof baseline`, and `check --accept`: writes the facts of now and prints what changed. */
export const runBaseline = (options: GateOptions, services: Services, world: World): Promise<number> =>
  withSession(services, world, async (session) => {
    const hasRecording = options.payloads.some(isRecording);
    refuseWithoutRecording(options, hasRecording);
    return hasRecording
      ? (await import('./recorded-baseline.ts')).recordedBaseline(session, options, move)
      : move(session, options, await gateInputs(session, options, null));
  });

const isRecording = (file: string): boolean => fileKindOf(file, null) === 'recording';

async function move(session: Session, options: GateOptions, inputs: GateInputs): Promise<number> {
  const { progress, signal, world } = session;
  const { request, tools, baselinePath, baselineFile } = inputs;
  const output = openOutputFile(baselinePath, world.cwd());
  const old = await readableBaseline(session, inputs);
  const demands = demandsNow(inputs.config, inputs.asked, old?.demands);
  const asked = { ...request, samples: options.samples, demands };
  const { baseline, changes, failures } = await moveBaseline(old, asked, tools);
  progress.stop();
  if (signal.aborted) throw new ToolError('interrupted');
  await sayReasons(failures.map(failureReason), world);
  const isPrivate = hasSamples(baseline);
  if (isPrivate) progress.listen({ type: 'warning', text: privacyWarning(baselineFile, options.samples) });
  if (changes.length > 0) await output.write(baselineText(baseline), isPrivate ? OWNER_ONLY : undefined);
  await printResult((renderOptions) => baselineChanges(baselineFile, changes, renderOptions), world);
  return exitOf(failures);
}

/** A file with values of the user: nobody else reads it. */
const OWNER_ONLY = 0o600;

const privacyWarning = (file: string, samples: GateOptions['samples']) =>
  samples === 'masked'
    ? `${file} holds numbers and keys of the payloads; texts are masked. Commit it only where these may be public`
    : `${file} holds copies of payloads. Commit it only where all their values may be public; --mask hides texts`;

/** null also for a baseline that cannot be read (after a merge conflict, say): it is written anew. */
async function readableBaseline(
  { progress }: Session,
  { baselinePath, baselineFile }: GateInputs,
): Promise<Baseline | null> {
  try {
    return await readBaseline(baselinePath, baselineFile);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'document-bad') throw error;
    progress.listen({ type: 'warning', text: error.message });
    return null;
  }
}

function exitOf(failures: readonly CheckFailure[]): number {
  if (failures.length === 0) return EXIT.ok;
  return failures.some(({ code }) => isUsageCode(code)) ? EXIT.usage : EXIT.failure;
}
