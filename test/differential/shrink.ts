/** Smaller programs that may show the same error. */
import { ONE, type Program, partsOf, type Step, weightOf } from './program.ts';

/** One step smaller, the smallest first. */
function smaller(program: Program): Program[] {
  const weight = weightOf(program);
  const seen = new Set<string>();
  return [...partsOf(program), ...cuts(program)]
    .filter((candidate) => {
      const text = JSON.stringify(candidate);
      const fresh = !seen.has(text) && weightOf(candidate) < weight;
      seen.add(text);
      return fresh;
    })
    .sort((a, b) => weightOf(a) - weightOf(b));
}

function cuts(program: Program): Program[] {
  switch (program.op) {
    case 'scalar':
      return [ONE];
    case 'text':
      return cutText(program);
    case 'object':
      return cutObject(program);
    case 'array':
      return cutArray(program);
    case 'container':
      return [ONE, ...cutList(program.parts, inner).map((parts): Program => ({ ...program, parts }))];
    default:
      return [ONE];
  }
}

const inner = (part: Program) => [ONE, ...cuts(part)];

function cutText(program: Extract<Program, { op: 'text' }>): Program[] {
  const { units } = program;
  const shorter = [0, 1, 256, 300, units >> 1, units - 1].filter((n) => n >= 0 && n < units);
  return [
    ONE,
    ...shorter.map((n): Program => ({ ...program, units: n })),
    { ...program, unit: 'x' },
    { ...program, origin: 'repeat' },
  ];
}

function cutObject(program: Extract<Program, { op: 'object' }>): Program[] {
  const { entries, steps, bulk } = program;
  const fewer = entries.map((_, i): Program => ({ ...program, entries: entries.filter((__, j) => j !== i) }));
  const simpler = entries.flatMap(([key, value], i) =>
    inner(value).map(
      (part): Program => ({ ...program, entries: entries.map((e, j) => (j === i ? [key, part] : e)) }),
    ),
  );
  return [
    ...fewer,
    { ...program, origin: 'literal' },
    ...lower(bulk).map((n): Program => ({ ...program, bulk: n })),
    ...cutSteps(steps).map((some): Program => ({ ...program, steps: some })),
    ...simpler,
  ];
}

function cutArray(program: Extract<Program, { op: 'array' }>): Program[] {
  const { items, steps, bulk } = program;
  const counts = bulk === null ? [] : lower(bulk.count);
  return [
    { ...program, origin: 'literal' },
    ...(bulk === null ? [] : [{ ...program, bulk: null }]),
    ...counts.map((count): Program => ({ ...program, bulk: { of: bulk!.of, count } })),
    ...cutSteps(steps).map((some): Program => ({ ...program, steps: some })),
    ...cutList(items, inner).map((some): Program => ({ ...program, items: some })),
  ];
}

const lower = (n: number) => (n === 0 ? [] : [0, n >> 1, n - 1].filter((m) => m < n));

function cutSteps(steps: readonly Step[]): Step[][] {
  return cutList(steps, (step) => {
    const { value, ...bare } = step;
    if (value === undefined) return [];
    return [bare, ...inner(value).map((part): Step => ({ ...step, value: part }))];
  });
}

/** Without one of them, or with one of them made simpler. */
function cutList<T>(list: readonly T[], simpler: (one: T) => T[]): T[][] {
  const fewer = list.map((_, i) => list.filter((__, j) => j !== i));
  const changed = list.flatMap((one, i) =>
    simpler(one).map((part) => list.map((e, j) => (j === i ? part : e))),
  );
  return [...fewer, ...changed];
}

const MAX_ROUNDS = 60;
const MAX_CANDIDATES = 200;

/** The smallest program that is still wrong; the program itself where no smaller one is. */
export async function smallestWrong(
  program: Program,
  areWrong: (programs: readonly Program[]) => Promise<boolean[]>,
): Promise<Program> {
  let least = program;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const candidates = smaller(least).slice(0, MAX_CANDIDATES);
    const next = (await areWrong(candidates)).indexOf(true);
    if (next < 0) return least;
    least = candidates[next]!;
  }
  return least;
}
