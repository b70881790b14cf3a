import type { Shape } from '../../model/documents/shape.ts';
import type { Advice, Trial } from '../../model/documents/trial.ts';
import type { EngineName } from '../../model/names.ts';

/** V8 copies what is shorter; longer parts of a text refer to it. */
const SHORTEST_SLICE = 13;
/** Below this it does not matter what a receiver keeps. UTF-16 units. */
const MATTERS_FROM = 100_000;

/**
 * The texts of a compiled codec come as one, of which V8 cuts slices: who keeps one, keeps all. Told where all are much
 * and some are long enough.
 */
export function withKeptTexts(
  advice: Advice | null,
  trials: readonly Trial[],
  shape: Shape | null,
  engine: EngineName,
): Advice | null {
  if (advice?.action !== 'apply' || advice.remedy !== 'compiled' || engine !== 'v8') return advice;
  const advised = trials.find(
    ({ remedy, withConversion }) => remedy === 'compiled' && withConversion?.ratio === advice.gain?.ratio,
  );
  if (advised?.plan.form === 'listed') return advice;
  const texts = (shape?.patterns ?? []).filter(
    ({ kind, flags }) => kind === 'string' && !flags.includes('repeated'),
  );
  const units = texts.reduce((sum, { size }) => sum + (size?.total ?? 0), 0);
  if (units < MATTERS_FROM || !texts.some(({ size }) => (size?.max ?? 0) >= SHORTEST_SLICE)) return advice;
  const cost = `a receiver that keeps one text of 13 or more characters keeps all ${amount(units)} of the message`;
  return { ...advice, costs: [...(advice.costs ?? []), cost] };
}

/** "217 thousand", "2.1 million" */
const amount = (units: number): string =>
  units < 999_500 ? `${Math.round(units / 1e3)} thousand` : `${(units / 1e6).toPrecision(2)} million`;
