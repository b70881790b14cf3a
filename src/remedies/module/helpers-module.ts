/** What compiled codecs share, as one module beside them. */
import { asJavaScript, asTypeScript } from '../code/dialect.ts';
import { filledCode, literal } from '../code/javascript.ts';
import { ALL_HELPERS, namesIn } from '../compiled/helpers/index.ts';
import { commentLines, MARKER, type ModuleLanguage, NO_CONDITIONS } from './comments.ts';

/** Declarations of what codecs call, and not of the state, which importers cannot assign. */
const CALLED = /^(type|function|const(?= [a-z]\w* = (?:\(|<|[a-z]\w*;))) (\w+)/gm;

const namesOf = (helpers: string) =>
  [...helpers.matchAll(CALLED)].map(([, kind, name = '']) => (kind === 'type' ? `type ${name}` : name));

const helpersIn = (language: ModuleLanguage): string =>
  language === 'typescript' ? asTypeScript(ALL_HELPERS) : asJavaScript(ALL_HELPERS);

/** @param version clone-prof's own */
export function helpersModule(version: string, language: ModuleLanguage): string {
  const what = 'what the codecs beside it call. Do not edit it: it is written with them.';
  const head = commentLines(`${MARKER.slice(3)} helpers ${version}: ${what} ${NO_CONDITIONS}`).join('\n');
  const helpers = helpersIn(language);
  if (language !== 'commonjs') return `${head}\n\n${helpers.replace(CALLED, 'export $&')}\n`;
  return `${head}\n\n${helpers}\n\n${filledCode('module.exports = { ', namesOf(helpers), ' };')}\n`;
}

/** The line by which a codec has what its own code calls. @param from name of the module */
export function helpersImport(own: string, from: string, language: ModuleLanguage): string {
  const mentioned = namesIn(own);
  const names = namesOf(helpersIn(language)).filter((name) => mentioned.has(name.replace('type ', '')));
  return language === 'commonjs'
    ? filledCode('const { ', names, ` } = require(${literal(from)});`)
    : filledCode('import { ', names, ` } from ${literal(from)};`);
}
