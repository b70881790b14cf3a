import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Stored, type StoredResult, together } from '../../app/report/together.ts';
import { COMPARISON_SCHEMA, REPORT_SCHEMA } from '../../model/document-ids.ts';
import type { Report } from '../../model/documents/report.ts';
import type { ReportFormat } from '../../model/report/render-options.ts';
import { COMPARISON_REPORTERS, REPORTERS, SWEEP_REPORTERS } from '../../reporters/registry.ts';
import { reportWords } from '../../rule-book/wording.ts';
import { readResult } from '../../store/stored-results.ts';
import type { ReportOptions } from '../options/report.ts';
import { usage } from '../options/values.ts';
import { EXIT } from '../session/exit-code.ts';
import { type Draw, openDestinations, writeEach } from '../session/output.ts';
import type { World } from '../session/world.ts';
import { openEmitted } from './emit.ts';

/** `clone-prof report`: stored results, drawn again, joined or compared. Nothing is measured. */
export async function runReport(options: ReportOptions, world: World): Promise<number> {
  const { files, join, outputs, emit } = options;
  refuseTwice(files, world);
  const destinations = openDestinations(outputs, files, world);
  const read = async (file: string): Promise<Stored> => {
    const from = file === '-' ? world.stdin : resolve(world.cwd(), file);
    return { file, result: await readResult(from, file) };
  };
  const [first, ...others] = files;
  const stored: [Stored, ...Stored[]] = [await read(first)];
  for (const file of others) stored.push(await read(file));
  const result = together(stored, join);
  const emitted =
    emit === null ? null : openEmitted(emit, advising(result).payloads, { inputs: files }, world);
  const unwritten = await writeEach(destinations, ({ format }) => drawOf(result, format), world);
  return Math.max(unwritten, emitted === null ? EXIT.ok : await emitted.write(advising(result)));
}

/** @throws ToolError 'usage' */
function refuseTwice(files: readonly string[], world: World): void {
  const seen = new Map<string, string>();
  for (const file of files) {
    const given = resolve(world.cwd(), file);
    // What is not there is told when it is read.
    const path = existsSync(given) ? realpathSync(given) : given;
    const other = seen.get(path);
    if (other !== undefined) {
      const detail = other === file ? `${file} is named twice` : `${other} and ${file} are the same file`;
      throw usage(`report: ${detail}. Name each once`);
    }
    seen.set(path, file);
  }
}

/** @throws ToolError 'usage' */
function advising(result: StoredResult): Report {
  if (result.schema === REPORT_SCHEMA) return result;
  throw usage('--emit: only a report of clone-prof analyze advises a codec');
}

/** @throws ToolError 'usage' */
async function drawOf(result: StoredResult, format: ReportFormat): Promise<Draw> {
  const words = reportWords();
  if (result.schema === REPORT_SCHEMA) {
    const reporter = await REPORTERS[format]();
    return (renderOptions) => reporter(result, renderOptions, words);
  }
  if (result.schema === COMPARISON_SCHEMA) {
    const reporter = await COMPARISON_REPORTERS[format]();
    return (renderOptions) => reporter(result, renderOptions, words);
  }
  if (!(format in SWEEP_REPORTERS)) {
    const known = Object.keys(SWEEP_REPORTERS).join(', ');
    throw usage(`--format: a sweep cannot be drawn as ${format}. Known: ${known}`);
  }
  const reporter = await SWEEP_REPORTERS[format as keyof typeof SWEEP_REPORTERS]();
  return (renderOptions) => reporter(result, renderOptions);
}
