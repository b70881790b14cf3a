import type { StoredResult } from '../../app/report/together.ts';
import { REPORT_SCHEMA } from '../../model/document-ids.ts';
import type { Report } from '../../model/documents/report.ts';
import type { RenderOptions, ReportFormat } from '../../model/report/render-options.ts';
import { drawing } from '../../reporters/registry.ts';
import { reportWords } from '../../rule-book/wording.ts';
import { storedReports } from '../../services/stored-reports.ts';
import type { ReportOptions } from '../options/report.ts';
import { usage } from '../options/values.ts';
import { EXIT } from '../session/exit-code.ts';
import { fromRepository, openDestinations, writeEach } from '../session/output.ts';
import type { World } from '../session/world.ts';
import { openEmitted } from './emit.ts';

/** `clone-prof report`: stored results, drawn again, joined or compared. Nothing is measured. */
export async function runReport(options: ReportOptions, world: World): Promise<number> {
  const { files, join, outputs, emit } = options;
  const destinations = openDestinations(outputs, files, world);
  const result = await storedReports(files, join, { cwd: world.cwd(), stdin: () => world.stdin });
  const emitted =
    emit === null ? null : openEmitted(emit, advising(result).payloads, { inputs: files }, world);
  const drawOf = async ({ format }: { format: ReportFormat }) => {
    const draw = drawing(result, format);
    const folder = fromRepository(world, world.cwd());
    return (renderOptions: RenderOptions) => draw({ ...renderOptions, folder }, reportWords());
  };
  const unwritten = await writeEach(destinations, drawOf, world);
  return Math.max(unwritten, emitted === null ? EXIT.ok : await emitted.write(advising(result)));
}

/** @throws ToolError 'usage' */
function advising(result: StoredResult): Report {
  if (result.schema === REPORT_SCHEMA) return result;
  throw usage('--emit: only a report of clone-prof analyze advises a codec');
}
