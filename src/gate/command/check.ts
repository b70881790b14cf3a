/** `clone-prof check`: one request, a report in every format that was requested, reasons, and an exit code. */
import { appendFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { CHECK, readDocument } from '../../app/store/documents.ts';
import type { CheckSettings } from '../../cli/options/all.ts';
import { measuredOutputs } from '../../cli/options/shared.ts';
import { FILE_OPTIONS, fromRepository, openOutputFile, openOutputs } from '../../cli/session/output.ts';
import type { Session } from '../../cli/session/session.ts';
import { headlineOf, sayReasons } from '../../cli/session/world.ts';
import { codecFiles } from '../../codec/command/codec.ts';
import { codecName, exportedBy } from '../../codec/files/codec-names.ts';
import { schemaCodec } from '../../codec/make/codec.ts';
import type { CheckFailure, CheckReport } from '../../model/documents/check.ts';
import { CHECK_FORMATS } from '../../model/report/formats.ts';
import { causesOf, factText, isError, isLimit, placeOf } from '../../report/print/limits.ts';
import { draw } from '../../report/registry.ts';
import { atMost, groupedBy } from '../../report/text/groups.ts';
import { checkIn } from '../check/check.ts';
import type { CodecWriter, RewrittenCodec } from '../check/codecs.ts';
import { askedOf, configHere } from '../check/gate-request.ts';
import { exitCodeOf, mergeChecks } from '../compare/check-report.ts';

export async function runCheck(settings: CheckSettings, session: Session): Promise<number> {
  const write = openCheckOutput(settings, settings.payloads, session);
  const writer = settings.fixCodec ? codecWriter(session) : null;
  const { report, folder } = await checkIn(session, settings, writer);
  session.progress.clear();
  return write(report, folder);
}

export async function runMerge(settings: CheckSettings, session: Session): Promise<number> {
  const { expect, timeoutMs, merge, payloads, runtimes } = settings;
  const { cwd, signal } = session;
  const files = [...payloads, ...merge];
  const write = openCheckOutput(settings, files, session);
  // Hash of this config, which the reports of its shards hold.
  const config = expect === null ? null : await configHere(session, expect, timeoutMs);
  const expected = config && askedOf(config, { runtimes, payloads: [] }, cwd).configHash;
  const waiting = { timeoutMs, signal };
  const parts = await Promise.all(
    files.map(async (file) => ({
      file,
      report: await readDocument(resolve(cwd, file), file, CHECK, waiting),
    })),
  );
  return write(mergeChecks(parts, expected), cwd);
}

const codecWriter =
  ({ services, world, emit, cwd }: Session): CodecWriter =>
  (path, folder, type) => {
    const shown = relative(cwd, path) || path;
    openOutputFile(shown, cwd);
    return async (made) => {
      const { schema: _, ...kept } = made.madeOf ?? { name: codecName(basename(path)), schema: null };
      const files = made.sources.map((one) => one.file);
      const codec = schemaCodec(made.schema, { version: services.tools.version, files, ...kept });
      const exported = exportedBy(path, made.sources, folder, type);
      const again = 'npx clone-prof check --fix-codec';
      const onWritten = () => emit({ type: 'note', text: `wrote ${shown}${whyText(made)}` });
      await codecFiles(world, '--fix-codec', null, onWritten).writeCodec(codec, shown, { exported, again });
    };
  };

const MAX_CHANGES_TOLD = 3;

/** ": $.rows[*].note is new; and 2 more" */
function whyText({ changes }: RewrittenCodec): string {
  const all = changes.map(({ path, what }) => `${path} ${what}`);
  const told = atMost(MAX_CHANGES_TOLD, all, (others) => `and ${others} more`);
  return told.length === 0 ? '' : `: ${told.join('; ')}`;
}

/** Returns a function that writes a report and returns the exit code. @throws ToolError 'usage', 'output-unwritable' */
function openCheckOutput(
  settings: CheckSettings,
  inputs: readonly string[],
  session: Session,
): (report: CheckReport, folder: string) => Promise<number> {
  const { world } = session;
  const outputs = measuredOutputs(CHECK_FORMATS, settings);
  const write = openOutputs(outputs, inputs, session);
  const summary = outputs.some(({ format }) => format === 'github') && world.env.GITHUB_STEP_SUMMARY;
  return async (report, checked) => {
    const folder = fromRepository(world, checked);
    const unwritten = await write(({ format }, options) => draw(report, format, { ...options, folder }));
    if (summary) {
      try {
        appendFileSync(summary, draw(report, 'markdown', FILE_OPTIONS));
      } catch (error) {
        // It is an extra: the gate must not fail.
        await world.stderr.line(`warning: no job summary: ${(error as Error).message}`);
      }
    }
    await sayReasons(checkReasons(report), world);
    return exitCodeOf(report) || unwritten;
  };
}

/** "rows: rows.json: no such file"; the name is left out if the error begins with it. */
export function failureReason({ payload, code, message }: CheckFailure): string {
  const text = headlineOf({ code, message });
  return text.startsWith(payload) ? text : `${payload}: ${text}`;
}

/** "rows on bun@1.4.5: class serialized, limit in-memory at $[1].geo"; one line for each cause. */
function checkReasons({ results, failures }: CheckReport): string[] {
  const broken = causesOf(results.filter(isError)).map((group) => {
    const [first] = group;
    const { path, example } = first;
    const at = path === null ? '' : ` at ${example ?? path}`;
    const effects = groupedBy(group, factText).map(([fact, same]) => {
      const names = [...new Set(same.filter(isLimit).map(({ limit }) => limit))];
      return [names.join(', '), headlineOf({ code: first.outcome, message: fact })].filter(Boolean).join(' ');
    });
    return `${placeOf(first)}: ${effects.join('; ')}${at}`;
  });
  return [...failures.map(failureReason), ...broken];
}
