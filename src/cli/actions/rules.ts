import { parseRuntimeSpec } from '../../core/runtime-spec.ts';
import { ToolError } from '../../model/errors.ts';
import { EXIT } from '../../model/exit-codes.ts';
import { RUNTIME_NAMES } from '../../model/names.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import { ruleNodes } from '../../reporters/print/rules.ts';
import { terminalNodes } from '../../reporters/terminal/nodes.ts';
import { escapedJson } from '../../reporters/text/json.ts';
import { ruleBook } from '../../rule-book/rule-book.ts';
import type { RulesSettings } from '../options/all.ts';
import { usage } from '../options/option.ts';
import { printResult } from '../session/output.ts';
import type { World } from '../session/world.ts';

/** The runtimes of the rule book that `spec` means: "bun", "bun@1.3.9"; all of them when there is none. */
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
  const draw = (renderOptions: RenderOptions) => terminalNodes(books.flatMap(ruleNodes), renderOptions);
  const asJson = () => escapedJson(books.length === 1 ? books[0] : books);
  await printResult(format === 'json' ? asJson : draw, world);
  return EXIT.ok;
}
