import type { ErrorFacts } from '../../model/errors.ts';
import { isModule } from '../../model/report/recipe.ts';
import { triedIn } from '../../model/rules/tried.ts';
import type { GuestRequest, Stage } from '../../model/wire/wire.ts';

/** What a guest does for a request, or is known to do in a stage of it. */
const DOING: Record<Exclude<GuestRequest['type'], 'exit'> | Stage, string> = {
  open: 'opening it',
  build: 'building the payload',
  describe: 'describing the payload',
  confirm: 'posting the payload',
  losses: 'comparing what arrives',
  peer: 'starting the receiver and building the payload on both sides',
  schema: 'reading the schema of the payload',
  prove: 'proving the rewrites',
  measure: 'measuring',
  dimensions: 'looking for what can grow',
  profile: 'profiling',
  'branch-bytes': 'serializing the payload without its branches',
  sample: 'writing a sample',
  memory: 'measuring memory',
};

/** For the error of a deadline that passed: user code may wait only while it is loaded, builds or rewrites. */
export function timeoutFacts(request: GuestRequest, stage: Stage | null): ErrorFacts {
  const { type } = request;
  if (type === 'exit') return {};
  const recipes = 'recipes' in request ? request.recipes : 'recipe' in request ? [request.recipe] : [];
  const hasModule = recipes.some(isModule);
  const runsTried = type === 'prove' && request.plans.some(({ plan }) => triedIn(plan) !== null);
  const mayWait =
    runsTried || (hasModule && (type === 'open' || stage === 'build' || stage === 'peer' || stage === null));
  return { detail: DOING[stage ?? type], ...(mayWait ? {} : { value: 'use a smaller payload' }) };
}
