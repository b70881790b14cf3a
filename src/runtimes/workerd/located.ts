import { ToolError } from '../../model/errors.ts';
import type { PageSession } from '../browser/pages/page-session.ts';

/** As a guest says where an error of a module was made. */
const PLACE = /\(modules\/([\w-]+)\.mjs, line (\d+), column (\d+)\)/;

/** With the place in the user's own file instead of that in its bundle. */
export async function located(error: unknown, session: PageSession): Promise<unknown> {
  if (!(error instanceof ToolError)) return error;
  const { detail = '' } = error.facts;
  const [place, key = '', line, column] = PLACE.exec(detail) ?? [];
  const module = place === undefined ? null : await session.module(key).catch(() => null);
  if (place === undefined || !module) return error;
  const found = module.originalOf(Number(line), Number(column));
  const file = found?.file === undefined ? '' : `${found.file}, `;
  const where = found ? `(${file}line ${found.line}, column ${found.column})` : '';
  return ToolError.again(error.code, { ...error.facts, detail: detail.replace(place, where).trimEnd() });
}
