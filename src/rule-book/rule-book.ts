import { inRange } from '../core/classify/versions.ts';
import { ENGINES, STANDARD } from '../engines/index.ts';
import { ENGINE_OF, type RuntimeName } from '../model/names.ts';
import type { PathRow, Rule, Scope, When } from '../model/rule.ts';
import { type PathView, RULES_SCHEMA, type RuleBookView, type RuleView } from '../model/rule-view.ts';

/** Does a row speak of this runtime, and of this version of it where one is asked for? */
function concerns(scope: Scope | undefined, runtime: RuntimeName, version: string | null): boolean {
  if (!scope?.runtimes) return true;
  const range = scope.runtimes[runtime];
  return range !== undefined && (version === null || inRange(version, range));
}

const kindsOf = (when: When | readonly When[]): readonly unknown[] =>
  [when].flat().flatMap((one) => one.kind ?? []);

/** A rule that takes a path away from every value of a kind, in old versions only: the path came later. */
function arrivalOf(row: PathRow, rules: readonly Rule[], runtime: RuntimeName): string | null {
  const kinds = kindsOf(row.root);
  for (const { at, when, scope, blocks } of rules) {
    const before = /^<([\d.]+)$/.exec(scope?.runtimes?.[runtime] ?? '')?.[1];
    const [only, ...more] = [when].flat();
    const bare = more.length === 0 && only !== undefined && Object.keys(only).join() === 'kind';
    if (
      before &&
      bare &&
      at === 'root' &&
      blocks?.includes(row.path) &&
      kindsOf(when).every((kind) => kinds.includes(kind))
    )
      return before;
  }
  return null;
}

const versionsOf = (scope: Scope | undefined, runtime: RuntimeName) => scope?.runtimes?.[runtime] ?? null;

function pathView(row: PathRow, rules: readonly Rule[], runtime: RuntimeName): PathView {
  const arrival = arrivalOf(row, rules, runtime);
  return {
    path: row.path,
    class: row.costs,
    title: row.title,
    why: row.why,
    versions: arrival === null ? versionsOf(row.scope, runtime) : `>=${arrival}`,
    channels: row.scope?.channels ?? null,
    otherwise: row.otherwise ?? 'serializer',
    source: row.source,
  };
}

function ruleView(rule: Rule, runtime: RuntimeName): RuleView {
  return {
    id: rule.id,
    level: rule.level,
    title: rule.title,
    why: rule.why,
    fix: rule.fix ?? null,
    blocks: rule.blocks ?? [],
    costs: rule.costs ?? null,
    remedies: rule.remedies ?? [],
    versions: versionsOf(rule.scope, runtime),
    channels: rule.scope?.channels ?? null,
    source: rule.source,
  };
}

/** A path that several rows lead to is told once. */
const onceEach = (paths: PathView[]): PathView[] =>
  paths.filter(
    (view, i) => paths.findIndex((other) => other.path === view.path && other.title === view.title) === i,
  );

/** The rule book of a runtime, of one version when it is given; what the standard fixes for all comes last. */
export function ruleBook(runtime: RuntimeName, version: string | null): RuleBookView {
  const engine = ENGINES[ENGINE_OF[runtime]];
  const here = ({ scope }: { scope?: Scope }) => concerns(scope, runtime, version);
  return {
    schema: RULES_SCHEMA,
    runtime,
    version,
    engine: engine.name,
    paths: onceEach(engine.paths.filter(here).map((row) => pathView(row, engine.rules, runtime))).filter(
      ({ versions }) => version === null || versions === null || inRange(version, versions),
    ),
    rules: [...engine.rules, ...STANDARD.rules].filter(here).map((rule) => ruleView(rule, runtime)),
  };
}
