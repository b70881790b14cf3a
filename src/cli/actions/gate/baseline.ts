import { moveBaseline } from '../../../app/gate/baseline.ts';
import { hasSamples } from '../../../core/gate/baseline.ts';
import type { Baseline } from '../../../model/documents/baseline.ts';
import { ToolError } from '../../../model/errors.ts';
import { baselineChanges } from '../../../reporters/check/terminal.ts';
import { refuseWithoutRecording } from '../../../services/analysis.ts';
import { demandsNow } from '../../../services/gate/demands.ts';
import { type GateInputs, gateInputs, gateTools } from '../../../services/gate/gate-request.ts';
import type { Services } from '../../../services/services.ts';
import { fileKindOf } from '../../../sources/find.ts';
import { baselineText, readBaseline } from '../../../store/baseline-file.ts';
import type { GateOptions } from '../../options/check.ts';
import { EXIT, isUsageCode } from '../../session/exit-code.ts';
import { printResult } from '../../session/output.ts';
import { openOutputFile } from '../../session/output-file.ts';
import { sayReasons } from '../../session/reasons.ts';
import { type Session, withSession } from '../../session/session.ts';
import type { World } from '../../session/world.ts';
import { failureReason } from './check-reasons.ts';
import { fromRecordings } from './recorded-baseline.ts';

/** `clone-prof baseline`, and `check --accept`: writes the facts of now and prints what changed. */
export const runBaseline = (options: GateOptions, services: Services, world: World): Promise<number> =>
  withSession(services, world, async (session) => {
    const hasRecording = options.payloads.some((file) => fileKindOf(file, null) === 'recording');
    refuseWithoutRecording(options, hasRecording);
    if (!hasRecording) return writeBaseline(session, options);
    const { payloads, hasFailed } = await fromRecordings(session, options);
    const exit = payloads === null ? EXIT.ok : await writeBaseline(session, { ...options, payloads });
    return exit === EXIT.ok && hasFailed ? EXIT.failure : exit;
  });

async function writeBaseline(session: Session, options: GateOptions): Promise<number> {
  const { progress, signal, world } = session;
  const inputs = await gateInputs(session, options);
  const { request, baselinePath, baselineFile } = inputs;
  const output = openOutputFile(baselinePath, world.cwd());
  const old = await readableBaseline(inputs, session);
  const demands = demandsNow(inputs.config, inputs.asked, old?.demands);
  const asked = { ...request, samples: options.samples, demands };
  const { baseline, changes, failures } = await moveBaseline(old, asked, gateTools(session));
  progress.stop();
  if (signal.aborted) throw new ToolError('interrupted');
  await sayReasons(failures.map(failureReason), world);
  const isPrivate = hasSamples(baseline);
  if (isPrivate) progress.listen({ type: 'warning', text: privacyWarning(baselineFile, options.samples) });
  if (changes.length > 0) await output.write(baselineText(baseline), isPrivate ? OWNER_ONLY : undefined);
  await printResult((renderOptions) => baselineChanges(baselineFile, changes, renderOptions), world);
  if (failures.length === 0) return EXIT.ok;
  return failures.some(({ code }) => isUsageCode(code)) ? EXIT.usage : EXIT.failure;
}

/** A file with values of the user: nobody else reads it. */
const OWNER_ONLY = 0o600;

const privacyWarning = (file: string, samples: GateOptions['samples']) =>
  samples === 'masked'
    ? `${file} holds numbers and keys of the payloads; texts are masked. Commit it only where these may be public`
    : `${file} holds copies of payloads. Commit it only where all their values may be public; --mask hides texts`;

/** null also for a baseline that cannot be read (after a merge conflict, say): it is written anew. */
async function readableBaseline(
  { baselinePath, baselineFile, waiting }: GateInputs,
  { progress }: Session,
): Promise<Baseline | null> {
  try {
    return await readBaseline(baselinePath, baselineFile, waiting);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'document-bad') throw error;
    progress.listen({ type: 'warning', text: error.message });
    return null;
  }
}
