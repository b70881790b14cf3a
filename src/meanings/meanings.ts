/** Printed words and their meanings. */
import { readFileSync } from 'node:fs';
import { packageFile, rulePayloads } from '../machine/package-file.ts';
import { FACT_NUMBERS, FACT_TEXTS, MESSAGES } from '../model/error-messages.ts';
import { type ErrorCode, type ErrorFacts, exitCodeOfError, ToolError, usage } from '../model/errors.ts';
import { LIMIT_ROWS } from '../model/gate/limits.ts';
import { guessText } from '../model/guess.ts';
import { orElse } from '../model/or-else.ts';
import type { Meaning } from '../model/report/wording.ts';
import { CLASS_TEXTS } from '../reporters/print/texts.ts';
import { reportWords } from '../rule-book/wording.ts';

const MOST_SUGGESTED = 8;

/** Lines of a module whose payload fires the rule. */
function firing(id: string): string[] {
  const payloads: Readonly<Record<string, string>> = orElse(rulePayloads, {});
  const code = payloads[`${id.replaceAll('/', '-')}.js`];
  return code === undefined ? [] : code.trimEnd().split('\n');
}

function rulesAndPaths(): Meaning[] {
  const { rules, paths, remedies, traffic } = reportWords();
  return [
    ...Object.entries(rules).map(([word, { title, why, fix, fixIn, source, level }]) => ({
      ...{ word, kind: `rule, ${level}`, source },
      text: [`${title}.`, why, fix, ...Object.values(fixIn ?? {})].filter(Boolean).join(' '),
    })),
    ...Object.entries(paths).flatMap(([engine, ofEngine]) =>
      Object.entries(ofEngine).map(([word, { title, why }]) => ({
        ...{ word, kind: `path of ${engine}`, text: `${title}. ${why}` },
      })),
    ),
    ...Object.entries(remedies).map(([word, { title }]) => ({
      ...{
        word,
        kind: 'rewrite',
        text: title,
        example: [`clone-prof analyze payload.json --emit ${word}.codec.ts`],
      },
    })),
    ...Object.entries(traffic).map(([word, { title, why, fix, source, level = 'slow' }]) => ({
      ...{
        word,
        kind: `finding in a recording, ${level}`,
        text: `${title}. ${why} ${fix}`.replace(/\{(\w+)\}/g, '<$1>'),
        source,
      },
    })),
  ];
}

/** Example of an error, with the name of each fact in place of its value. */
function errorOf(code: ErrorCode): ToolError {
  const facts: Record<string, unknown> = { names: ['...'] };
  for (const name of [...FACT_TEXTS, ...FACT_NUMBERS]) if (name !== 'output') facts[name] = `<${name}>`;
  return ToolError.again(code, facts as ErrorFacts);
}

const errorCodes = (): Meaning[] =>
  (Object.keys(MESSAGES) as ErrorCode[]).map((word) => {
    const error = errorOf(word);
    return { word, kind: `error, exit code ${exitCodeOfError(error)}`, text: error.message };
  });

/** Rows of docs/glossary.md, which is the only place of these texts. */
function glossary(): Meaning[] {
  const text = orElse(() => readFileSync(packageFile('docs/glossary.md'), 'utf8'), '');
  const rows = text.matchAll(/^\| (?!word \||---)(.+?) \| (.+) \|$/gm);
  return [...rows].flatMap(([, words = '', text = '']) =>
    words.split(', ').map((word) => ({ word, kind: 'glossary', text: withoutMarkup(text) })),
  );
}

const withoutMarkup = (text: string) =>
  text.replace(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, 'docs/$2').replaceAll('`', '');

export function allMeanings(): Meaning[] {
  return [
    ...Object.entries(CLASS_TEXTS).map(([word, text]) => ({ word, kind: 'class of cost', text: `${text}.` })),
    ...rulesAndPaths(),
    ...Object.entries(LIMIT_ROWS).map(([word, { words: text }]) => ({
      ...{
        word,
        kind: 'limit of check',
        text,
        example: [`npx clone-prof check   # limits: { ${word}: ... }`],
      },
    })),
    ...errorCodes(),
    ...glossary(),
  ];
}

const withExample = (meaning: Meaning): Meaning =>
  meaning.kind.startsWith('rule,') ? { ...meaning, example: firing(meaning.word) } : meaning;

/** All words that `explain` knows, without duplicates. */
export const explainedWords = (all = allMeanings()): string[] => [...new Set(all.map(({ word }) => word))];

/** True if the word was requested; the name of a rule also matches without its engine: `deep-nesting`. */
const means = ({ word }: Meaning, asked: string) => {
  const name = word.toLowerCase();
  return name === asked || name.slice(name.indexOf('/') + 1) === asked;
};

/** @throws ToolError 'usage' for a word that the tool does not print */
export function meaningsOf(asked: string, all = allMeanings()): Meaning[] {
  const word = asked.trim().toLowerCase();
  const found = all.filter((meaning) => means(meaning, word));
  if (found.length > 0) return found.map(withExample);
  const known = explainedWords(all);
  const close = known.filter((one) => one.toLowerCase().includes(word));
  const hint =
    word === '' || close.length === 0
      ? 'clone-prof rules lists the rules, docs/glossary.md the words'
      : `Known: ${close.slice(0, MOST_SUGGESTED).join(', ')}`;
  throw usage(
    `explain: '${asked}' is not a known rule, path, class, rewrite, limit or error code.${close.length === 0 ? guessText(word, known) : ''} ${hint}`,
  );
}
