/** Faults of the pure parts: values, engines, statistics, the gate. */
import { mutant, type Subject } from './mutant.ts';

export const VALUE: Subject = {
  tests: [
    'core/describe',
    'core/compare',
    'core/paths',
    'core/versions',
    'core/wire-estimate',
    'core/gate/masked',
  ],
  mutants: [
    mutant(
      'U+0800 to U+08FF are masked by two bytes',
      'code < 0x800) return TWO',
      'code < 0x900) return TWO',
    ),
    mutant('Latin-1 is masked by ASCII', "code < 0x80) return 'x'", "code < 0x100) return 'x'"),
    mutant(
      'numbers as keys are masked as words',
      '(?:0|[1-9]\\d{0,8})$/.test(key)) return',
      '(?:0|[1-9]\\d{0,8})$/.test(key + "x")) return',
    ),
    mutant(
      'an object of V8 has two bytes less',
      'return count * (2 + varintBytes(mean));',
      'return count * varintBytes(mean);',
    ),
    mutant(
      'a two-byte text is as long as a one-byte text',
      "(stored & STORED['two-byte']) === 0 ? units : units * 2",
      'units',
    ),
    mutant(
      'a long text begins at 257 units',
      "if (text.length >= 256) bits |= STRING['units-from-256'];",
      "if (text.length > 256) bits |= STRING['units-from-256'];",
    ),
    mutant('minus zero is an integer', 'if (value === 0 && 1 / value < 0)', 'if (value !== value)'),
    mutant('2 ** 30 is a small integer', 'value >= SMI31 ||', 'value > SMI31 ||'),
    mutant(
      'minus zero equals zero',
      'if (Object.is(a, b) && (a === null',
      'if ((a === b || Object.is(a, b)) && (a === null',
    ),
    mutant(
      'a Map that lost entries is equal',
      'if (left.size !== right.size) report',
      'if (left.size < right.size) report',
    ),
    mutant(
      'the class of an object is not compared',
      'if (nameA !== nameB && !otherView)',
      'if (nameA === nameB && !otherView)',
    ),
    mutant(
      'losses after the hundredth are not counted',
      'if (this.#losses.length >= LISTED) this.#more++;',
      'if (this.#losses.length >= LISTED) return;',
    ),
    mutant(
      'separated views of one buffer are equal',
      'for (const path of this.#shared.separatedViews())',
      'for (const path of [] as string[])',
    ),
    mutant(
      'a key with a dash needs no quotes in a path',
      'const NAME = /^[A-Za-z_$][\\w$]*$/;\n\n/** Text of a property',
      'const NAME = /^[A-Za-z_$][\\w$-]*$/;\n\n/** Text of a property',
    ),
    mutant('a path of another root is a path', "if (!path.startsWith('$')) return null;", ''),
    mutant(
      'a Symbol that is refused is not named',
      "if (typeof value === 'symbol' || typeof value === 'function') return WORDS",
      "if (typeof value === 'function') return WORDS",
    ),
  ],
};

export const ENGINES: Subject = {
  tests: ['core/classify', 'fixtures/verdicts', 'engines/', 'rule-book'],
  mutants: [
    mutant(
      'a rule of one channel holds on all',
      'if (scope.channels !== undefined && !scope.channels.includes(context.channel)) return false;',
      '',
    ),
    mutant(
      'versions that a rule leaves out are not left out',
      'return range !== undefined && inRange(version, range);',
      'return false;',
    ),
    mutant(
      'flags that exclude a rule do not exclude it',
      'return none === undefined || flags.length === 0 || countFlags(none, flags) === 0;',
      'return true;',
    ),
    mutant('one of all flags is enough', 'countFlags(all, flags) < all.length', 'countFlags(all, flags) < 1'),
    mutant(
      'a size limit of a rule is exclusive',
      '(facts.size?.max ?? 0) < when.sizeFrom) return false',
      '(facts.size?.max ?? 0) <= when.sizeFrom) return false',
    ),
    mutant(
      'keys of a Map are outside of it',
      'IN_COLLECTION.test(pattern) ? BIT',
      '!IN_COLLECTION.test(pattern) ? BIT',
    ),
    mutant(
      'a value in an element is an element',
      "return parent === 'object' ? below | BIT['element-value'] : below;",
      "return parent === 'object' ? below | BIT.element : below;",
    ),
    mutant(
      'a rejected payload takes its path',
      "if (inForce.some(({ rule }) => rule.level === 'rejected')) return 'rejected';",
      '',
    ),
    mutant(
      'a rule for the root blocks at every place',
      "return rule.at !== 'any' || facts.depth === 0;",
      'return true;',
    ),
    mutant(
      'the least class counts',
      '(worst, one) => (worse(one, worst) ? one : worst),',
      '(worst, one) => (worse(one, worst) ? worst : one),',
    ),
  ],
};

export const STATS: Subject = {
  tests: [
    'core/stats',
    'core/measure',
    'core/advise',
    'core/steps',
    'core/evidence',
    'app/analyze/race',
    'core/sweep',
  ],
  mutants: [
    mutant('a rewrite that saves 5 µs is advised', 'LEAST_SAVED_NS = 20_000', 'LEAST_SAVED_NS = 5_000'),
    mutant(
      'a codec is advised beside JSON text for any gain',
      'MUST_SAVE_MORE_NS = 50_000',
      'MUST_SAVE_MORE_NS = 0',
    ),
    mutant(
      'what is lost comes after what saves',
      "if (step.kind === 'lost') return 1;",
      "if (step.kind === 'lost') return 5;",
    ),
    mutant('the smallest saving comes first', 'saved(b) - saved(a)', 'saved(a) - saved(b)'),
    mutant(
      'intervals of times hold in 90 %',
      'const CONFIDENCE = 0.95;\n/** More looks',
      'const CONFIDENCE = 0.9;\n/** More looks',
    ),
    mutant(
      'intervals of ratios hold in 90 %',
      '0.05, 0.05, 0.05, 0.046, 0.038, 0.033, 0.029, 0.027, 0.025, 0.023, 0.022, 0.021, 0.02,',
      '0.1, 0.1, 0.1, 0.092, 0.076, 0.066, 0.058, 0.054, 0.05, 0.046, 0.044, 0.042, 0.04,',
    ),
    mutant(
      'several comparisons are not allowed for',
      'MISSES_AT_EACH_LOOK[looks]! / Math.max(1, comparisons)',
      'MISSES_AT_EACH_LOOK[looks]!',
    ),
    mutant(
      'the step of the clock is left out',
      'half + stepShare(both.map((pair) => pair.candidate)) + stepShare(both.map((pair) => pair.original));',
      'half;',
    ),
    mutant(
      'the lower end of a time may be negative',
      'const low = Math.max(0, middle * Math.exp(-half) - step / 2);',
      'const low = middle * Math.exp(-half) - step / 2;',
    ),
    mutant(
      'the transit of a message may be negative',
      'Math.max(0, floor.roundTrip / 2 - floor.send - floor.receive)',
      '(floor.roundTrip / 2 - floor.send - floor.receive)',
    ),
    mutant(
      'lost time does not widen intervals',
      'ci: [low / (1 + share), high * (1 + share)]',
      'ci: [low, high * (1 + share)]',
    ),
    mutant(
      'an effect of 2 % counts',
      'NO_DIFFERENCE = { from: 0.95, to: 1.05 }',
      'NO_DIFFERENCE = { from: 0.98, to: 1.02 }',
    ),
    mutant(
      'faster is what may be slower',
      "if (ci[1] < 1 && ratio <= NO_DIFFERENCE.from) return 'faster';",
      "if (ratio <= NO_DIFFERENCE.from) return 'faster';",
    ),
    mutant(
      'three processes are not needed for a failure',
      "claim === 'failure' && processes < MIN_PROCESSES",
      "claim === 'failure' && processes < 1",
    ),
    mutant(
      'what is near the floor is rewritten',
      'overFloor.ci[1] <= NEAR_THE_FLOOR',
      'overFloor.ci[1] <= 0',
    ),
    mutant(
      'a rewrite that loses something is advised',
      "trial.equality === 'equal' && trial.losses.length === 0 && !trial.plan.isView",
      '!trial.plan.isView',
    ),
    mutant(
      'the simpler of two is not preferred',
      '.filter(({ gain }) => gain.ratio <= SIMPLER_MAY_COST * fastest.gain.ratio)\n    .sort((a, b) => candidateRank',
      '.filter(({ gain }) => gain.ratio <= fastest.gain.ratio)\n    .sort((a, b) => candidateRank',
    ),
    mutant(
      'long code is advised for little',
      'effort.lines > MANY_LINES ? WORTH_A_FILE',
      'effort.lines > 1e9 ? WORTH_A_FILE',
    ),
    mutant('blank lines count as code', ".filter((line) => line.trim() !== '').length", '.length'),
    mutant(
      'p95 of ten samples is reported',
      'samples * (1 - share) >= 1 - 1e-9',
      'samples * (1 - share) >= 0.5',
    ),
    mutant(
      'a dropped candidate wins',
      "preferred(some.filter(({ outcome }) => outcome !== 'dropped')) ?? preferred(some)",
      'preferred(some)',
    ),
    mutant(
      'crossings are interpolated without logarithms',
      'at: Math.log1p(size), log: Math.log(ratio)',
      'at: Math.log1p(size), log: ratio - 1',
    ),
  ],
};

export const GATE: Subject = {
  tests: [
    'core/gate',
    'cli/check',
    'cli/base',
    'cases/gate',
    'hostile/quick-pull',
    'store/baseline',
    'store/config',
  ],
  mutants: [
    mutant(
      '10 % over the baseline is 11 %',
      '(was ?? 0) * (1 + own) + 1e-6',
      '(was ?? 0) * (1.01 + own) + 1e-6',
    ),
    mutant('a limit is exclusive', 'const holds = value <= most;', 'const holds = value < most;'),
    mutant(
      'a worse class passes',
      'rank(verdict.class) <= rank(allowed)',
      'rank(verdict.class) >= rank(allowed)',
    ),
    mutant(
      'a rejection without a rule passes',
      "if (isExplained || verdict?.class !== 'rejected')",
      "if (isExplained || verdict?.class === 'rejected')",
    ),
    mutant(
      'a failed run passes',
      "run.status === 'failed'\n        ? [unmeasured",
      "run.status === 'failed' && run.error === null\n        ? [unmeasured",
    ),
    mutant(
      'a limit that is off is checked',
      "if (!limit || limit.level === 'off') return [];",
      'if (!limit) return [];',
    ),
    mutant(
      'memory that others use can be moved',
      "const isFixed = has(row, 'shared-backing', 'detached', 'wasm-memory', 'pooled');",
      "const isFixed = has(row, 'detached', 'wasm-memory', 'pooled');",
    ),
    mutant(
      'an undecided ratio fails',
      'const isUndecided = low <= limit && high > limit;',
      'const isUndecided = low <= limit && high > 2 * limit;',
    ),
    mutant(
      'a payload that is gone is not reported',
      '.filter((runtime) => !keys.has(JSON.stringify([payload, runtime])))',
      '.filter((runtime) => keys.has(JSON.stringify([payload, runtime])))',
    ),
    mutant(
      'a new payload only warns',
      "const level = policy === 'ok' ? 'warn' : 'error';\n  const said",
      "const level = 'warn';\n  const said",
    ),
    mutant(
      'a limit of another kind is not looser',
      'rankOf(is) > rankOf(was) || is.against !== was.against) return true',
      'rankOf(is) > rankOf(was)) return true',
    ),
    mutant(
      'a listed path covers all values of its pattern',
      'return matching.length >= row.count;',
      'return matching.length > 0;',
    ),
    mutant(
      'another export of the same file is the same payload',
      "const CHOOSING = ['export', 'as', 'via', 'sender'] as const;",
      "const CHOOSING = ['as', 'via', 'sender'] as const;",
    ),
    mutant(
      'map-like keys stay in the baseline',
      'const plain = withoutDataKeys(shape);\n  return {',
      'const plain = (path: string) => path;\n  return {',
    ),
  ],
};
