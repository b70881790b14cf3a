/** Tests of codecs. They are separate from the codecs, because pages show codecs too. */
import type { PayloadReport } from '../model/documents/report.ts';
import type { Recipe } from '../model/report/recipe.ts';
import { payloadShape } from '../model/report/runs.ts';
import type { Codec } from '../model/rules/remedy.ts';
import type { Kind } from '../model/vocabulary/shape.ts';
import { exportNames } from '../remedies/module/module.ts';
import { codecTest } from '../remedies/module/test-file.ts';
import type { SampleSource, TestFacts } from '../remedies/module/test-sample.ts';
import type { AdvisedCodec } from './codec.ts';

export { importSpecifier } from '../remedies/module/test-sample.ts';

/** Location of a test, and the program that runs it. */
export type TestPlace = Pick<TestFacts, 'codec' | 'runner' | 'language'>;

/** Source of a test of the codec. Files are relative to the folder of the test. */
export function codecTestSource(
  { codec, run, facts }: AdvisedCodec,
  { source, ...where }: TestPlace & Pick<PayloadReport, 'source'>,
): string {
  const sample = sampleOf(source, payloadShape(run)?.patterns[0]?.kind);
  const { isAwaited = false } = codec;
  return codecTest({ ...where, sample, exports: exportNames(codec), isAwaited, version: facts.version });
}

/** Source of a test for a codec that is made without measuring, with the first of its samples. */
export function schemaTestSource(
  codec: Codec,
  version: string,
  { recipe, ...where }: TestPlace & { recipe: Recipe },
): string {
  return codecTest({ ...where, sample: sampleIn(recipe), exports: exportNames(codec), version });
}

function sampleIn({ build: { form }, source: { file, export: name, line } }: Recipe): SampleSource {
  if (form === 'module') return { form, file, export: name ?? 'default' };
  if (form === 'ndjson') return { form, file, line: line ?? 1 };
  return { form, file };
}

/** The root kind decides, not the file's extension: `--as` may override the extension. */
function sampleOf({ file, export: name, line }: PayloadReport['source'], root?: Kind): SampleSource {
  if (name !== null) return { form: 'module', file, export: name };
  if (line !== undefined) return { form: 'ndjson', file, line };
  if (root === 'typedarray') return { form: 'bytes', file };
  return { form: root === 'string' ? 'text' : 'json', file };
}
