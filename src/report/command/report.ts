import type { ReportSettings } from '../../cli/options/all.ts';
import { outputsOf } from '../../cli/options/shared.ts';
import { CommandFiles, fromRepository, openOutputs } from '../../cli/session/output.ts';
import type { World } from '../../cli/session/world.ts';
import { openEmitted } from '../../codec/command/codec.ts';
import type { Report } from '../../model/documents/report.ts';
import { EXIT, usage } from '../../model/errors.ts';
import { REPORT_SCHEMA } from '../../model/names.ts';
import { REPORT_FORMATS } from '../../model/report/formats.ts';
import { sharedReport } from '../../value/shape/masking.ts';
import { draw } from '../registry.ts';
import { type StoredResult, storedReports } from '../stored/stored-reports.ts';

/** `clone-prof report`: stored results, drawn again, joined or compared. It does not measure. */
export async function runReport(settings: ReportSettings, world: World): Promise<number> {
  const { join, emit, formats, output, details, keys } = settings;
  const files = settings.files as [string, ...string[]];
  // If --emit is the only output, just the module is written.
  const isPrinted = emit === null || formats.length > 0 || output.length > 0;
  const outputs = isPrinted ? outputsOf(REPORT_FORMATS, settings) : [];
  const opened = new CommandFiles(world.cwd());
  const write = openOutputs(outputs, files, { files: opened, world });
  const result = await storedReports(files, join, { cwd: world.cwd(), stdin: () => world.stdin });
  const emitted =
    emit === null ? null : openEmitted(emit, advising(result).payloads, { files: opened }, world);
  const folder = fromRepository(world, world.cwd());
  const unwritten = await write(({ format }, options) => {
    const isShared = !keys && format !== 'terminal' && result.schema === REPORT_SCHEMA;
    const shown = isShared ? sharedReport(result) : result;
    return draw(shown, format, { ...options, folder, details, isEmitted: emit !== null });
  });
  return Math.max(unwritten, emitted === null ? EXIT.ok : await emitted(advising(result)));
}

/** @throws ToolError 'usage' */
function advising(result: StoredResult): Report {
  if (result.schema === REPORT_SCHEMA) return result;
  throw usage('--emit: only a report of clone-prof analyze advises a codec');
}
