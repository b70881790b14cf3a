import { basename, relative } from 'node:path';
import type { RewrittenCodec } from '../../../app/gate/request.ts';
import { codecOf, schemaModule } from '../../../app/schema-codec.ts';
import { codecName, languageOf } from '../../../services/codec-names.ts';
import type { CodecWriter } from '../../../services/gate/check-request.ts';
import { openOutputFile } from '../../session/output-file.ts';
import type { Session } from '../../session/session.ts';
import { exportedBy, openCodecFile } from '../codec-file.ts';

/** `check --fix-codec`: says what it wrote, and why. */
export const codecWriter =
  ({ services, emit, cwd }: Session): CodecWriter =>
  (path, folder) => {
    const shown = relative(cwd, path) || path;
    openOutputFile(shown, cwd);
    return async (made) => {
      const { schema: _, ...kept } = made.madeOf ?? { name: codecName(basename(path)), schema: null };
      const codec = codecOf(made.schema, kept);
      const files = [...new Set(made.sources.map((one) => one.file))];
      const exported = exportedBy(path, made.sources, folder);
      const facts = { version: services.tools.version, files, name: kept.name, exported };
      const output = openCodecFile(shown, { option: '--fix-codec', cwd });
      await output.write(schemaModule(codec, facts, languageOf(path)));
      emit({ type: 'note', text: `wrote ${shown}${whyText(made)}` });
    };
  };

const MAX_CHANGES_TOLD = 3;

/** ": $.rows[*].note is new, and 2 more changes" */
function whyText({ changes }: RewrittenCodec): string {
  const told = changes.slice(0, MAX_CHANGES_TOLD).map(({ path, what }) => `${path} ${what}`);
  const more = changes.length - told.length;
  return told.length === 0 ? '' : `: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
