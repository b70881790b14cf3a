import type { ToolError } from '../../model/errors.ts';
import { ENGINE_OF, type RuntimeName } from '../../model/names.ts';
import type { AnalyzeRequest } from '../tools.ts';

interface Missing {
  spec: string;
  error: ToolError;
}

/** Missing runtimes as the report names them: "deno@2.9" by its spec; a path that is no binary has no name. */
export function namedMissing(missing: readonly Missing[]): NonNullable<AnalyzeRequest['missing']> {
  return missing.flatMap(({ spec, error }) => {
    const [text = '', version = 'missing'] = spec.split('@');
    if (!Object.hasOwn(ENGINE_OF, text)) return [];
    const name = text as RuntimeName;
    return [{ runtime: { name, version, engine: ENGINE_OF[name] }, error }];
  });
}
