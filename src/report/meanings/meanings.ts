import { readFileSync } from 'node:fs';
import { PATHS, RULES } from '../../engines/rule-book/rule-book.ts';
import { packageFile, rulePayloads } from '../../machine/folders.ts';
import {
  type ErrorCode,
  type ErrorFacts,
  exitCodeOfError,
  FACT_NUMBERS,
  FACT_TEXTS,
  guessText,
  MESSAGES,
  ToolError,
  usage,
} from '../../model/errors.ts';
import { LIMIT_ROWS } from '../../model/gate/limits.ts';
import { orElse } from '../../model/or-else.ts';
import { allFixes, type Meaning } from '../../model/rules/rule.ts';
import { TRAFFIC_WORDS } from '../../model/vocabulary/traffic.ts';
import { CLASS_TEXTS } from '../print/texts.ts';

const MOST_SUGGESTED = 8;

function firing(id: string): string[] {
  const payloads: Readonly<Record<string, string>> = orElse(rulePayloads, {});
  const code = payloads[`${id.replaceAll('/', '-')}.js`];
  return code === undefined ? [] : code.trimEnd().split('\n');
}

/** Words in place of the numbers and paths of a finding; the other words in braces stand for themselves. */
const STAND_INS: Readonly<Record<string, string>> = {
  ...{ count: 'N', of: 'M', ns: 'T', here: 'less', share: 'a part', equal: 'most', paths: 'a few paths' },
};

const rulesAndPaths = (): Meaning[] => [
  ...Object.entries(RULES).map(([word, rule]) => ({
    ...{ word, kind: `rule, ${rule.level}`, source: rule.source },
    text: [`${rule.title}.`, rule.why, ...allFixes(rule)].join(' '),
  })),
  ...Object.entries(PATHS).flatMap(([engine, ofEngine]) =>
    Object.entries(ofEngine).map(([word, { title, why }]) => ({
      ...{ word, kind: `path of ${engine}`, text: `${title}. ${why}` },
    })),
  ),
  ...Object.entries(TRAFFIC_WORDS).map(([word, { title, why, fix, source, level = 'slow' }]) => ({
    word,
    kind: `finding in a recording, ${level}`,
    text: `${title}. ${why} ${fix}`.replace(/\{(\w+)\}/g, (_, name: string) => STAND_INS[name] ?? name),
    source,
  })),
];

/** Example of an error that the glossary lacks, with the name of each fact in place of its value. */
function errorOf(code: ErrorCode): ToolError {
  const facts: Record<string, unknown> = { names: ['...'] };
  for (const name of [...FACT_TEXTS, ...FACT_NUMBERS]) if (name !== 'output') facts[name] = `<${name}>`;
  return ToolError.again(code, facts as ErrorFacts);
}

const errorCodes = (told: readonly Meaning[]): Meaning[] =>
  (Object.keys(MESSAGES) as ErrorCode[]).map((word) => {
    const error = errorOf(word);
    const text = told.find((one) => one.word === word)?.text ?? error.message;
    return { word, kind: `error, exit code ${exitCodeOfError(error)}`, text };
  });

/** Rows of the tables of a document, without their heads, which is the only place of these texts. */
function rowsOf(document: string): string[][] {
  const text = orElse(() => readFileSync(packageFile(document), 'utf8'), '');
  const rows = text.matchAll(/^\| (?!---)(.+) \|$(?!\n\| ---)/gm);
  return [...rows].map(([, row = '']) => row.split(/ ?\| ?/).map(withoutMarkup));
}

function glossary(): Meaning[] {
  return rowsOf('docs/glossary.md').flatMap(([words = '', text = '']) =>
    words.split(', ').map((word) => ({ word, kind: 'glossary', text })),
  );
}

const rewrites = (): Meaning[] =>
  rowsOf('docs/rewrites.md').flatMap(([word = '', effect = '', cost, command]) => {
    const text = cost ? `${effect}. It costs: ${cost}` : effect;
    return command ? { word, kind: 'rewrite', text, example: [`npx ${command}`] } : [];
  });

const withoutMarkup = (text: string) =>
  text.replace(/\[([^\]]+)\]\(([^)#]+)[^)]*\)/g, 'docs/$2').replaceAll('`', '');

export function allMeanings(): Meaning[] {
  const told = glossary();
  return [
    ...Object.entries(CLASS_TEXTS).map(([word, text]) => ({ word, kind: 'class of cost', text: `${text}.` })),
    ...rulesAndPaths(),
    ...rewrites(),
    ...Object.entries(LIMIT_ROWS).map(([word, { words: text }]) => ({
      ...{ word, kind: 'limit of check', text },
      example: [`npx clone-prof check   # limits: { ${word}: ... }`],
    })),
    ...errorCodes(told),
    ...told.filter(({ word }) => !Object.hasOwn(MESSAGES, word)),
  ];
}

const withExample = (meaning: Meaning): Meaning =>
  meaning.kind.startsWith('rule,') ? { ...meaning, example: firing(meaning.word) } : meaning;

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
      ? 'npx clone-prof rules lists the rules, docs/glossary.md the words'
      : `Known: ${close.slice(0, MOST_SUGGESTED).join(', ')}`;
  throw usage(
    `explain: '${asked}' is not a known rule, path, class, rewrite, limit or error code.${close.length === 0 ? guessText(word, known) : ''} ${hint}`,
  );
}
