import { join } from 'node:path';
import { loadSpecimens } from '../../app/sources/specimens.ts';
import { verify } from '../../app/verify.ts';
import { fetchOptions, toolsOf } from '../../app/world/services.ts';
import { ruleBook } from '../../engines/rule-book/rule-book.ts';
import { parseRuntimeSpec } from '../../engines/versions/versions.ts';
import { writeRulePayloads } from '../../machine/folders.ts';
import { EXIT, ToolError, usage } from '../../model/errors.ts';
import { RUNTIME_NAMES } from '../../model/names.ts';
import type { RenderOptions } from '../../model/report/formats.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { allMeanings, explainedWords, meaningsOf } from '../../report/meanings/meanings.ts';
import { meaningNodes, objectText, ruleNodes, runtimeNodes, verifyNodes } from '../../report/print/rules.ts';
import { terminalNodes } from '../../report/terminal/nodes.ts';
import { escapedJson } from '../../report/text/escape.ts';
import type { RulesSettings, RuntimesSettings, VerifySettings } from '../options/all.ts';
import { type Draw, printResult } from '../session/output.ts';
import { foundRuntimes, type Session } from '../session/session.ts';
import { sayReasons, type World } from '../session/world.ts';

const printAs = (format: 'terminal' | 'json', document: unknown, draw: Draw, world: World): Promise<void> =>
  printResult(format === 'json' ? () => escapedJson(document) : draw, world);

/** Rule books of the runtimes that `spec` selects: "bun", "bun@1.3.9"; all of them if it is missing. */
function booksOf(spec: string | undefined) {
  if (spec === undefined) return RUNTIME_NAMES.map((name) => ruleBook(name, null));
  const { name, wanted: version = null } = parseRuntimeSpec(spec);
  const known = RUNTIME_NAMES.find((one) => one === name);
  if (!known) throw new ToolError('runtime-unknown', { value: spec, names: RUNTIME_NAMES });
  if (version !== null && !/^\d+(\.\d+)*$/.test(version))
    throw usage(`rules: '${version}' is not a version. Write it like ${known}@1.3 or ${known}@24.1.0`);
  return [ruleBook(known, version)];
}

export async function runRules({ specs: [spec], format }: RulesSettings, world: World): Promise<number> {
  const books = booksOf(spec);
  const document = books.length === 1 ? books[0] : books;
  await printAs(format, document, (options) => terminalNodes(books.map(ruleNodes), options), world);
  return EXIT.ok;
}

export async function runExplain({ words }: { words: readonly string[] }, world: World): Promise<number> {
  const all = allMeanings();
  const unknown: string[] = [];
  // "round trip" is one term.
  const term = words.join(' ');
  const asked = explainedWords(all).includes(term.toLowerCase()) ? [term] : words;
  const meanings = asked.flatMap((word) => {
    try {
      return meaningsOf(word, all);
    } catch (error) {
      unknown.push((error as Error).message);
      return [];
    }
  });
  if (meanings.length > 0)
    await printResult((options) => terminalNodes(meaningNodes(meanings), options), world);
  await sayReasons(unknown, world);
  return unknown.length === 0 ? EXIT.ok : EXIT.usage;
}

export async function runRuntimes(settings: RuntimesSettings, session: Session): Promise<number> {
  const { services, world } = session;
  const [action, ...specs] = settings.words;
  const runtimes: FoundRuntime[] = action === undefined ? await services.listRuntimes() : [];
  if (action !== undefined && action !== 'add' && action !== 'remove')
    throw usage(`runtimes: '${action}' is unknown. Known: add, remove`);
  if (action !== undefined && specs.length === 0)
    throw usage(`runtimes ${action}: name what, for example: clone-prof runtimes ${action} bun@1.3`);
  for (const spec of specs) {
    const done =
      action === 'add'
        ? [await services.addRuntime(spec, fetchOptions(session, settings))]
        : await services.removeRuntimes(spec);
    if (done.length === 0)
      throw new ToolError('runtime-missing', { value: spec, detail: 'it is not in the cache' });
    runtimes.push(...done);
  }
  // A reader of a pipe needs whole paths.
  const isWide = world.stdout.isTTY !== true && world.env.COLUMNS === undefined;
  const columns = isWide ? { columns: Number.POSITIVE_INFINITY } : {};
  const drawn = (options: RenderOptions) => terminalNodes(runtimeNodes(runtimes), { ...options, ...columns });
  await printAs(settings.format, runtimes, drawn, world);
  return EXIT.ok;
}

/** `clone-prof verify [runtime...]`: exit 1 if a rule does not hold. */
export async function runVerify(settings: VerifySettings, session: Session): Promise<number> {
  const { world, signal, workdir, cwd } = session;
  const { timeoutMs, format } = settings;
  const { found, missing } = await foundRuntimes(session, settings);
  const folder = join(workdir, 'rule-payloads');
  writeRulePayloads(folder);
  const specimens = await loadSpecimens(folder);
  const objects = join(folder, 'platform-objects.js');
  const request = { specimens, objects, runtimes: found, timeoutMs, cwd, signal };
  const report = await verify(request, toolsOf(session));
  session.progress.clear();
  await printAs(format, report, (options) => terminalNodes(verifyNodes(report), options), world);
  const broken = report.results.filter(({ holds }) => holds === false);
  const otherwise = report.objects.filter(({ holds }) => holds === false);
  await sayReasons(
    [
      ...broken.map(({ rule, runtime, why }) => `${rule} on ${runtime}: does not hold: ${why}`),
      ...otherwise.map(
        (one) => `${one.class} on ${one.runtime}: the table does not hold: ${objectText(one)}`,
      ),
    ],
    world,
  );
  if (signal.aborted) throw new ToolError('interrupted');
  if (!report.holds) return EXIT.gate;
  return missing.length > 0 ? EXIT.failure : EXIT.ok;
}
