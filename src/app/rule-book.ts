import { inRange } from '../core/versions.ts';
import { ENGINES, SPEC } from '../engines/index.ts';
import type { PathRow, Rule, Scope } from '../model/rule.ts';
import { type PathView, RULES_SCHEMA, type RuleBookView, type RuleView } from '../model/rule-view.ts';
import type { EngineName, RuntimeName } from '../model/words.ts';

export const ENGINE_OF: Readonly<Record<RuntimeName, EngineName>> = {
  node: 'v8',
  deno: 'v8',
  chromium: 'v8',
  bun: 'jsc',
  firefox: 'spidermonkey',
  webkit: 'webkit',
};

/** Does a row speak of this runtime, and of this version of it where one is asked for? */
function concerns(scope: Scope | undefined, runtime: RuntimeName, version: string | null): boolean {
  if (!scope?.runtimes) return true;
  const range = scope.runtimes[runtime];
  return range !== undefined && (version === null || inRange(version, range));
}

const versionsOf = (scope: Scope | undefined, runtime: RuntimeName) => scope?.runtimes?.[runtime] ?? null;

function pathView(row: PathRow, runtime: RuntimeName): PathView {
  return {
    path: row.path,
    class: row.costs,
    title: row.title,
    why: row.why,
    versions: versionsOf(row.scope, runtime),
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

/** The rule book of a runtime, of one version when it is given; what the standard fixes for all comes last. */
export function ruleBook(runtime: RuntimeName, version: string | null): RuleBookView {
  const engine = ENGINES[ENGINE_OF[runtime]];
  const here = ({ scope }: { scope?: Scope }) => concerns(scope, runtime, version);
  return {
    schema: RULES_SCHEMA,
    runtime,
    version,
    engine: engine.name,
    paths: engine.paths.filter(here).map((row) => pathView(row, runtime)),
    rules: [...engine.rules, ...SPEC.rules].filter(here).map((rule) => ruleView(rule, runtime)),
  };
}
