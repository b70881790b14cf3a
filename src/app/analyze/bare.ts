import { classify } from '../../core/classify/classify.ts';
import { valuePath } from '../../core/recording/envelopes.ts';
import { shapeBelow } from '../../core/recording/value-shape.ts';
import { ENGINES, STANDARD } from '../../engines/index.ts';
import type { Recorded } from '../../model/recipe.ts';
import type { Classified } from './classify-run.ts';
import type { RunContext } from './run-context.ts';

/** With the verdict of the value alone, where the messages were recorded in the envelope of a library. */
export function withBare(
  classified: Classified,
  recorded: Recorded | undefined,
  { runtime, channel }: Pick<RunContext, 'runtime' | 'channel'>,
): Classified {
  const { run } = classified;
  const envelope = recorded?.traffic.envelope;
  if (!envelope || run.shape === null) return classified;
  const { library, direction } = envelope;
  const shape = run.via ? run.via.shape : shapeBelow(run.shape, valuePath(library, direction));
  if (shape === null) return classified;
  const where = { runtime, channel, transferring: false };
  const { verdict } = classify(shape, ENGINES[runtime.engine], STANDARD, where);
  return { ...classified, run: { ...run, bare: { class: verdict.class, path: verdict.path } } };
}
