import { parseRuntimeSpec } from '../../core/runtime-spec.ts';
import { allMeanings, meaningsOf } from '../../meanings/meanings.ts';
import { ToolError } from '../../model/errors.ts';
import { EXIT } from '../../model/exit-codes.ts';
import { RUNTIME_NAMES } from '../../model/names.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { meaningNodes, ruleNodes, runtimeNodes } from '../../reporters/print/listings.ts';
import { terminalNodes } from '../../reporters/terminal/nodes.ts';
import { escapedJson } from '../../reporters/text/json.ts';
import { ruleBook } from '../../rule-book/rule-book.ts';
import { fetchOptions, type Services } from '../../services/services.ts';
import type { RulesSettings, RuntimesSettings } from '../options/all.ts';
import { usage } from '../options/option.ts';
import { printResult } from '../session/output.ts';
import { withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';

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

/** `clone-prof rules [runtime[@version]]`: prints the rule book. */
export async function runRules({ specs: [spec], format }: RulesSettings, world: World): Promise<number> {
  const books = booksOf(spec);
  const draw = (renderOptions: RenderOptions) => terminalNodes(books.map(ruleNodes), renderOptions);
  const asJson = () => escapedJson(books.length === 1 ? books[0] : books);
  await printResult(format === 'json' ? asJson : draw, world);
  return EXIT.ok;
}

/** `clone-prof explain <word>`: prints the meaning of a word that the tool prints. */
export async function runExplain({ words }: { words: readonly string[] }, world: World): Promise<number> {
  const all = allMeanings();
  const meanings = words.flatMap((word) => meaningsOf(word, all));
  await printResult((options) => terminalNodes(meaningNodes(meanings), options), world);
  return EXIT.ok;
}

/** `clone-prof runtimes`, `runtimes add <spec...>`, `runtimes remove <spec...>`. */
export async function runRuntimes(
  options: RuntimesSettings,
  world: World,
  services: Services,
): Promise<number> {
  const [action, ...specs] = options.words;
  if (action === undefined) return print(await services.listRuntimes(), options, world);
  if (action !== 'add' && action !== 'remove')
    throw usage(`runtimes: '${action}' is unknown. Known: add, remove`);
  if (specs.length === 0)
    throw usage(`runtimes ${action}: name what, for example: clone-prof runtimes ${action} bun@1.3`);
  const changed = await withSession(services, world, async (session) => {
    const done: FoundRuntime[] = [];
    for (const spec of specs) {
      if (action === 'add') done.push(await services.addRuntime(spec, fetchOptions(session, options)));
      else done.push(...(await removed(spec, services)));
    }
    return done;
  });
  return print(changed, options, world);
}

async function removed(spec: string, services: Services): Promise<FoundRuntime[]> {
  const gone = await services.removeRuntimes(spec);
  if (gone.length > 0) return gone;
  throw new ToolError('runtime-missing', { value: spec, detail: 'it is not in the cache' });
}

async function print(runtimes: FoundRuntime[], { format }: RuntimesSettings, world: World): Promise<number> {
  // A reader of a pipe needs whole paths.
  const isWide = world.stdout.isTTY !== true && world.env.COLUMNS === undefined;
  const listed = (options: RenderOptions) =>
    terminalNodes(
      runtimeNodes(runtimes),
      isWide ? { ...options, columns: Number.POSITIVE_INFINITY } : options,
    );
  await printResult(format === 'json' ? () => escapedJson(runtimes) : listed, world);
  return EXIT.ok;
}
