import { map } from '../../../core/value/lists.ts';
import { ToolError } from '../../../model/errors.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import type { Opened } from '../../../model/wire/wire.ts';
import { currentPlatform } from '../../platform/current.ts';
import { type LineGroup, LineGroups } from './line-groups.ts';
import { namesOf } from './line-names.ts';
import { LineReader } from './lines.ts';

/** Groups that become payloads; a note counts the others. */
const GROUPS_SHOWN = 8;
/** The same where each group is asked for: a gate must not depend on how frequent a kind of line is. */
const GROUPS_CHECKED = 256;

async function groupsIn(file: string, name: string): Promise<LineGroups> {
  const groups = new LineGroups(name);
  const reader = new LineReader((text, line) => groups.add(text, line));
  for await (const chunk of currentPlatform().sources.chunks({ file, name })) reader.add(chunk);
  reader.end();
  if (groups.empty) throw new ToolError('file-empty', { file: name });
  return groups;
}

const counted = (n: number, one: string, many: string) =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

function notesOn({ ungrouped, malformed, errors }: LineGroups, others: readonly LineGroup[]): string[] {
  const notes: string[] = [];
  const lines = others.reduce((sum, group) => sum + group.count, ungrouped);
  if (lines > 0) {
    const atLeast = ungrouped > 0 ? 'at least ' : '';
    const shapes = counted(others.length + (ungrouped > 0 ? 1 : 0), 'rarer shape', 'rarer shapes');
    notes.push(`${counted(lines, 'further line', 'further lines')} of ${atLeast}${shapes} are not analyzed`);
  }
  const more = malformed - errors.length;
  if (more > 0) notes.push(`${counted(more, 'more line is', 'more lines are')} malformed`);
  return notes;
}

/**
 * Groups the lines of an NDJSON file by shape; the line of median size (`worst`: the largest) represents its group and
 * `stands` for all of it. A malformed line is an error of its own and does not affect other lines. Memory does not grow with the file.
 *
 * @throws ToolError 'file-empty' | 'file-missing' | 'file-unreadable'
 */
export async function openLines(recipe: Recipe, file: string, worst: boolean): Promise<Opened> {
  const groups = await groupsIn(file, recipe.source.file);
  const ranked = groups.ranked();
  const names = namesOf(ranked);
  const shown = worst ? GROUPS_CHECKED : GROUPS_SHOWN;
  const payloads = map(ranked.slice(0, shown), (group): Recipe => {
    const line = worst ? group.largest : group.representative();
    const build = { form: 'ndjson', file, ...line } as const;
    const source = { ...recipe.source, line: line.line };
    return { ...recipe, id: `${recipe.id}#${names.get(group)}`, source, build, stands: group.count };
  });
  const failed = map(groups.errors, (facts) => ({
    id: `${recipe.id}#${facts.line}`,
    code: 'json-malformed' as const,
    facts,
  }));
  const notes = notesOn(groups, ranked.slice(shown));
  return { type: 'opened', payloads, notes, ...(failed.length > 0 ? { failed } : {}) };
}
