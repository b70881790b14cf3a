import type { Rule } from 'eslint';
import type { MarkLevel } from '../reporters/section/marks.ts';
import { visibleLine } from '../reporters/text/escape.ts';
import { groupedBy } from '../reporters/text/grouped.ts';
import { documentAt } from './documents.ts';
import { type Call, type PlacedMark, placeMarks } from './place-marks.ts';

export interface PostMessageOptions {
  /** A recording (.cprof), or what `clone-prof analyze` or `check` wrote with -f json; from the working folder of ESLint. */
  report: string | string[];
  /** The least level that is told; default: "note", which is all. */
  level?: MarkLevel;
}

const LEVELS: readonly MarkLevel[] = ['note', 'warning', 'error'];

/** More than these of one line are counted. */
const MAX_SHOWN = 8;

/** Of each run of ESLint, whose files share their options: what is wrong with a document is told once. */
const told = new WeakSet<object>();

export const postMessage: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    docs: {
      description: 'Tell what a recording found at the lines that post to other threads',
      url: 'https://github.com/OWNER/clone-prof/blob/main/docs/editor.md',
    },
    schema: [
      {
        type: 'object',
        properties: {
          report: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] },
          level: { enum: [...LEVELS] },
        },
        required: ['report'],
        additionalProperties: false,
      },
    ],
    messages: { found: '{{text}}', stale: '{{text}}', unreadable: '{{text}}' },
  },
  create(context) {
    const [options] = context.options as [PostMessageOptions];
    const documents = [options.report].flat().map((file) => documentAt(file, context.cwd));
    const problems = documents.flatMap(({ problem }) => problem ?? []);
    const least = LEVELS.indexOf(options.level ?? 'note');
    const found = documents.map(({ shown, marksIn }) => ({
      shown,
      marks: marksIn(context.physicalFilename).filter(({ level }) => LEVELS.indexOf(level) >= least),
    }));
    const calls: Call[] = [];
    const collect = (node: CallNode) => calls.push(callOf(node));
    return {
      Program(node) {
        if (told.has(options)) return;
        if (problems.length > 0) told.add(options);
        const loc = { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } };
        for (const text of problems)
          context.report({ node, loc, messageId: 'unreadable', data: { text: visibleLine(text) } });
      },
      CallExpression: collect,
      NewExpression: collect,
      'Program:exit'() {
        for (const { shown, marks } of found) {
          const { placed, stale } = placeMarks(marks, context.sourceCode.lines, calls);
          for (const one of foundTexts(placed)) context.report({ ...one, messageId: 'found' });
          if (stale !== null) {
            const text = `${shown}: ${stale.text}`;
            context.report({ loc: stale.loc, messageId: 'stale', data: { text: visibleLine(text) } });
          }
        }
      },
    };
  },
};

type CallNode = Parameters<NonNullable<Rule.RuleListener['CallExpression' | 'NewExpression']>>[0];

/** The name of what is called, and where it stands: "postMessage" of `port.postMessage(x)`. */
function callOf(node: CallNode): Call {
  const { callee } = node;
  const named = callee.type === 'MemberExpression' ? callee.property : callee;
  const { start } = (named.loc ?? node.loc) as NonNullable<typeof node.loc>;
  const name = named.type === 'Identifier' ? named.name : null;
  const loc = { start, end: node.loc!.end };
  return { name, line: start.line, column: start.column + 1, loc };
}

/** Of one place the worst first. */
function foundTexts(placed: readonly PlacedMark[]) {
  const places = groupedBy(placed, ({ loc }) => `${loc.start.line}:${loc.start.column}`);
  return [...places.values()].flatMap((own) => {
    const sorted = [...own].sort((a, b) => LEVELS.indexOf(b.mark.level) - LEVELS.indexOf(a.mark.level));
    const texts = sorted.slice(0, MAX_SHOWN).map(({ mark }) => `${mark.text} (${mark.rule})`);
    const more = own.length - texts.length;
    if (more > 0) texts.push(`And ${more} more: clone-prof report, or analyze, tells all.`);
    return texts.map((text) => ({ loc: own[0]!.loc, data: { text: visibleLine(text) } }));
  });
}
