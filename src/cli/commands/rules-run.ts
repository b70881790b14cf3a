import { ToolError } from '../../model/errors.ts';
import { ENGINE_OF, type RuntimeName } from '../../model/names.ts';
import { terminalRules } from '../../reporters/terminal/rules.ts';
import { ruleBook } from '../../rule-book/rule-book.ts';
import { EXIT } from '../main.ts';
import { lookOf, write } from '../output.ts';
import type { World } from '../world.ts';

const NAMES = Object.keys(ENGINE_OF) as RuntimeName[];

/** The runtimes of the rule book that `spec` means: "bun", "bun@1.3.9"; all of them when there is none. */
function booksOf(spec: string | undefined) {
  if (spec === undefined) return NAMES.map((name) => ruleBook(name, null));
  const [name, version = null] = spec.split('@');
  const known = NAMES.find((one) => one === name);
  if (!known) throw new ToolError('runtime-unknown', { value: spec, names: NAMES });
  if (version !== null && !/^\d+(\.\d+)*$/.test(version)) {
    throw new ToolError('usage', {
      detail: `rules: '${version}' is not a version. Write it like ${known}@1.3 or ${known}@24.1.0`,
    });
  }
  return [ruleBook(known, version)];
}

/** `clone-prof rules [runtime[@version]]`: prints the rule book. */
export async function runRules(
  options: { spec: string | undefined; format: 'terminal' | 'json' },
  world: World,
): Promise<number> {
  const books = booksOf(options.spec);
  const look = lookOf(world.stdout, world.env);
  const text =
    options.format === 'json'
      ? `${JSON.stringify(books.length === 1 ? books[0] : books, null, 2)}\n`
      : books.map((book) => terminalRules(book, look)).join('\n');
  await write(world.stdout, text);
  return EXIT.ok;
}
