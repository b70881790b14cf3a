import { ENGINE_OF, type EngineName, mayHave, RULES_SCHEMA, type RuntimeName } from '../../model/names.ts';
import {
  fixOf,
  type PathRow,
  type PathView,
  type Rule,
  type RuleBookView,
  type RuleView,
  type Scope,
} from '../../model/rules/rule.ts';
import { groupedBy } from '../../model/sums.ts';
import { ENGINES, RULE_BOOKS } from '../index.ts';
import { inRange, unionOf } from '../versions/versions.ts';

/** Channels of a row that the runtime may have; null: all that are cloned. */
const channelsIn = (scope: Scope | undefined, runtime: RuntimeName) =>
  scope?.channels?.filter((channel) => mayHave(runtime, channel) && !scope.exceptOver?.includes(channel)) ??
  null;

function covers(scope: Scope | undefined, runtime: RuntimeName, version: string | null): boolean {
  const except = scope?.exceptOn?.[runtime];
  if (except === '*' || (except !== undefined && version !== null && inRange(version, except))) return false;
  if (channelsIn(scope, runtime)?.length === 0) return false;
  if (!scope?.runtimes) return true;
  const range = scope.runtimes[runtime];
  return range !== undefined && (version === null || inRange(version, range));
}

const versionsOf = (scope: Scope | undefined, runtime: RuntimeName) => scope?.runtimes?.[runtime] ?? null;

function pathView(row: PathRow, runtime: RuntimeName): PathView {
  const { path, costs, title, why, otherwise = 'serializer', scope, since, source } = row;
  const versions = since?.[runtime] ?? versionsOf(scope, runtime);
  const where = { versions, channels: channelsIn(scope, runtime) };
  return { path, class: costs, title, why, ...where, otherwise, source };
}

/** @param rows of one rule: they have the same texts */
function ruleView(rows: readonly Rule[], runtime: RuntimeName): RuleView {
  const rule = rows[0]!;
  const { id, level, title, why, fix = null, blocks = [], costs = null, remedies = [], source } = rule;
  const versions = unionOf(rows.map(({ scope }) => versionsOf(scope, runtime) ?? '*'));
  const all = rows.map(({ scope }) => channelsIn(scope, runtime));
  const channels = all.includes(null) ? null : [...new Set(all.flatMap((one) => one ?? []))];
  // A page has no fork(): where one special advice is for all of its channels, that is the advice.
  const [here, ...others] = new Set(channels?.map((channel) => fixOf(rule, channel)));
  return {
    ...{ id, level, title, why, fix: here === undefined || others.length > 0 ? fix : here },
    ...{ blocks, costs, remedies, versions: versions === '*' ? null : versions, channels, source },
  };
}

/** For one version if given; the rules of the HTML standard come last. */
export function ruleBook(runtime: RuntimeName, version: string | null): RuleBookView {
  const engine = ENGINES[ENGINE_OF[runtime]];
  const applies = ({ scope }: { scope?: Scope }) => covers(scope, runtime, version);
  const paths = engine.paths.filter(applies).map((row) => pathView(row, runtime));
  const rules = groupedBy(engine.rules.filter(applies), ({ id }) => id);
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
    rules: [...rules.values()].map((rows) => ruleView(rows, runtime)),
  };
}

/** Documents hold the ids. An unknown id (from a report of a different version) is printed instead of a text. */
export const RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.values(RULE_BOOKS).flatMap((rules) => rules.map((rule) => [rule.id, rule])),
);

export const PATHS = Object.fromEntries(
  Object.values(ENGINES).map(({ name, paths }) => [
    name,
    Object.fromEntries(paths.map((row) => [row.path, row])),
  ]),
) as Readonly<Record<EngineName, Readonly<Record<string, PathRow>>>>;
