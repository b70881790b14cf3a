import { ENGINE_OF, type EngineName, RULES_SCHEMA, type RuntimeName } from '../../model/names.ts';
import type { PathRow, PathView, Rule, RuleBookView, RuleView, Scope, When } from '../../model/rules/rule.ts';
import { groupedBy } from '../../model/sums.ts';
import { ENGINES, STANDARD } from '../index.ts';
import { inRange } from '../versions/versions.ts';

function covers(scope: Scope | undefined, runtime: RuntimeName, version: string | null): boolean {
  const except = scope?.exceptOn?.[runtime];
  if (except !== undefined && version !== null && inRange(version, except)) return false;
  if (!scope?.runtimes) return true;
  const range = scope.runtimes[runtime];
  return range !== undefined && (version === null || inRange(version, range));
}

const kindsOf = (when: When | readonly When[]) => [when].flat().flatMap((one) => one.kind ?? []);

/** True if a rule blocks the path for every value of its kinds, with any flags. */
function blocksKind({ at, when, blocks }: Rule, { path, root }: PathRow): boolean {
  const keys = [when].flat().map((one) => Object.keys(one).join());
  const kinds = kindsOf(root);
  const isHere = at === 'root' && (blocks?.includes(path) ?? false);
  return isHere && keys.join(' ') === 'kind' && kindsOf(when).every((kind) => kinds.includes(kind));
}

/** Version that added the path: a rule blocks it for whole kinds in all earlier versions. */
function addedIn(row: PathRow, rules: readonly Rule[], runtime: RuntimeName): string | null {
  for (const rule of rules) {
    const before = /^<([\d.]+)$/.exec(rule.scope?.runtimes?.[runtime] ?? '')?.[1];
    if (before !== undefined && blocksKind(rule, row)) return before;
  }
  return null;
}

const versionsOf = (scope: Scope | undefined, runtime: RuntimeName) => scope?.runtimes?.[runtime] ?? null;

function pathView(row: PathRow, rules: readonly Rule[], runtime: RuntimeName): PathView {
  const since = addedIn(row, rules, runtime);
  const { path, costs, title, why, otherwise = 'serializer', source } = row;
  const versions = since === null ? versionsOf(row.scope, runtime) : `>=${since}`;
  const channels = row.scope?.channels ?? null;
  return { path, class: costs, title, why, versions, channels, otherwise, source };
}

function ruleView(rule: Rule, runtime: RuntimeName): RuleView {
  const { id, level, title, why, fix = null, blocks = [], costs = null, remedies = [], scope, source } = rule;
  const where = { versions: versionsOf(scope, runtime), channels: scope?.channels ?? null };
  return { id, level, title, why, fix, blocks, costs, remedies, ...where, source };
}

/** For one version if given; the rules of the HTML standard come last. */
export function ruleBook(runtime: RuntimeName, version: string | null): RuleBookView {
  const engine = ENGINES[ENGINE_OF[runtime]];
  const applies = ({ scope }: { scope?: Scope }) => covers(scope, runtime, version);
  const paths = engine.paths.filter(applies).map((row) => pathView(row, engine.rules, runtime));
  // Several rows may describe the same path.
  const distinct = groupedBy(paths, ({ path, title }) => `${path} ${title}`);
  return {
    schema: RULES_SCHEMA,
    runtime,
    version,
    engine: engine.name,
    paths: [...distinct.values()]
      .map(([first]) => first!)
      .filter(({ versions }) => version === null || versions === null || inRange(version, versions)),
    rules: [...engine.rules, ...STANDARD.rules].filter(applies).map((rule) => ruleView(rule, runtime)),
  };
}

const engines = Object.values(ENGINES);
/** Documents hold the ids. An unknown id (from a report of a different version) is printed instead of a text. */
export const RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  [STANDARD, ...engines].flatMap(({ rules }) => rules.map((rule) => [rule.id, rule])),
);

export const PATHS = Object.fromEntries(
  engines.map(({ name, paths }) => [name, Object.fromEntries(paths.map((row) => [row.path, row]))]),
) as Readonly<Record<EngineName, Readonly<Record<string, PathRow>>>>;
