import { classify } from '../../../core/classify/classify.ts';
import { shapeBelow, valuePath } from '../../../core/recording/envelopes/envelopes.ts';
import { ENGINES, STANDARD } from '../../../engines/index.ts';
import type { Run } from '../../../model/documents/report.ts';
import type { Traffic } from '../../../model/documents/traffic.ts';

/** With the verdict of the value alone, where the messages were recorded in the envelope of a library. */
export function withBare(run: Run, { envelope }: Traffic): Run {
  if (!envelope || run.shape === null) return run;
  const { library, direction } = envelope;
  const shape = run.via ? run.via.shape : shapeBelow(run.shape, valuePath(library, direction));
  if (shape === null) return run;
  const { runtime, channel } = run;
  const { verdict } = classify(shape, ENGINES[runtime.engine], STANDARD, { runtime, channel });
  return { ...run, bare: { class: verdict.class, path: verdict.path } };
}
