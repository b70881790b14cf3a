import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { CodecSchema, PayloadSchema } from '../../model/documents/payload-schema.ts';
import type { Codec } from '../../model/rules/remedy.ts';
import { carries, lackText } from '../../stats/evidence.ts';
import * as js from '../code/javascript.ts';
import { ALL_HELPERS } from '../compiled/helpers.ts';
import { SchemaTypes } from '../compiled/types.ts';

/** First words of a file that clone-prof may overwrite. */
export const MARKER = '// clone-prof codec';

const NO_CONDITIONS = 'Its licence has no conditions.';

export const commentLines = (text: string): string[] => js.filledLines(text.split(' '), js.LINE_WIDTH, '// ');

/** An export of a TypeScript file that defines the type of the payload. */
export interface Exported {
  /** Relative to the module that imports it. */
  file: string;
  export: string;
  /** Set if the export is the type itself, with --type. */
  isType?: true;
}

/** Name of the compiled file. Bundlers and all settings of `moduleResolution` resolve it to the TypeScript file. */
export const compiledName = (file: string): string =>
  (file.startsWith('.') ? file : `./${file}`).replace(/\.([mc]?)tsx?$/, '.$1js');

/** Declares `Payload` as the type of the export, or as its result type if it is a function. */
function exportedType({ file, export: name, isType }: Exported): string[] {
  const source = `import(${js.literal(compiledName(file))})${js.member(name)}`;
  if (isType) return [`export type Payload = ${source};`];
  const type = `typeof ${source}`;
  const line = `export type Payload = ${type} extends (...args: never[]) => infer Made`;
  const made = [`? Awaited<Made>`, `: Awaited<${type}>;`];
  const whole = [line, ...made].join(' ');
  return [
    '/** As it is exported, or made by the function that is. */',
    whole.length <= js.LINE_WIDTH ? whole : [line, ...made.map((one) => `  ${one}`)].join('\n'),
  ];
}

const MARK = '// schema: ';
const CONTINUED = '//   ';
const WIDTH = js.LINE_WIDTH - CONTINUED.length;
/** Parts of the schema, which end in a comma if possible, so that a change moves few lines. */
const PARTS = new RegExp(`.{1,${WIDTH}}$|.{1,${WIDTH - 1}},|.{1,${WIDTH}}`, 'g');
const SCHEMA = new RegExp(`^${MARK}.*(?:\\r?\\n${CONTINUED}.*)*`, 'gm');

/** Comment lines with the schema, in ASCII. Names and kinds only: counts of texts are not part of the structure. */
export function schemaLine({ name, form, view, schema: { types, records } }: CodecSchema): string {
  const told = types.map(({ text, ...type }) =>
    text === undefined ? type : { ...type, text: text.repeats ? { repeats: true } : {} },
  );
  const kept = js.asciiJson({ name, form, ...(view && { view }), types: told, records });
  return (MARK + kept).match(PARTS)!.join(`\n${CONTINUED}`);
}

export function schemaJson(module: string): string | null {
  const lines = module.match(SCHEMA)?.at(-1)?.slice(MARK.length);
  return lines?.replace(new RegExp(`\\r?\\n${CONTINUED}`, 'g'), '') ?? null;
}

export interface ModuleFacts {
  version: string;
  /** Path of the file as the user named it, with its export. */
  source: string;
  id: string;
  gain: RatioEstimate | null;
  /** "node 24.1.0, worker, 2026-01-31"; null if nothing was measured. */
  where: string | null;
  costs: readonly string[];
  again?: string | null;
  /** Import specifier of the module of helpers; null if the helpers are in the codec. */
  helpers?: string | null;
  exported?: Exported | null;
}

const MAX_LISTED = 3;

/** "a.json, b.json, c.json and 2 more" */
export function listed(items: readonly string[]): string {
  const more = items.length - MAX_LISTED;
  return `${items.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** All assumptions are in `advice.assumes` of the report. */
function assumed({ assumes }: Codec): string {
  const told = assumes.map(({ path, what }) => `${what} at ${path}`);
  return told.length === 0 ? '' : ` Assumes ${listed(told)}.`;
}

function head({ version, source, gain, where, costs, again = null }: ModuleFacts, codec: Codec): string[] {
  const share = (ratio: number) => String(Number(ratio.toPrecision(2)));
  const [low, high] = (gain?.ci ?? []).map(share);
  const time =
    gain === null
      ? 'can be posted'
      : carries(gain, 'size')
        ? `${share(gain.ratio)} of the time (${low}-${high})`
        : `at most ${high} of the time (${lackText(gain, 'size')})`;
  const measured = where === null ? 'not measured' : `${time}, ${where}`;
  const misses = codec.madeOf
    ? ` What does not fit is ${codec.madeOf.form === 'base64' ? 'JSON' : 'cloned'} in its place; one object at two places arrives as two.`
    : codec.source.includes('onMiss?.(reason)')
      ? ' Misfits are sent as is.'
      : '';
  const told = costs.map((cost) => ` Cost: ${cost}.`).join('');
  const made = `${MARKER.slice(3)} ${version}, made from ${source}: ${measured}.`;
  const edited = ` Do not edit it${again === null ? '' : `: ${again} makes it again`}.`;
  const text = `${made}${edited} ${NO_CONDITIONS}${assumed(codec)}${misses}${told}`;
  // One line of ASCII for any file name or key.
  return commentLines(js.literal(text).slice(1, -1));
}

export interface CodecModule {
  codec: Codec;
  /** Schema of the payload; null if it is unknown, or has too many kinds of records. */
  schema: PayloadSchema | null;
  facts: ModuleFacts;
}

/** The codec as one file. @param place facts that depend on the place of the file */
export function codecSource(
  { facts, ...module }: CodecModule,
  language: js.ModuleLanguage,
  place: Partial<ModuleFacts> = {},
): string {
  const text = withoutSchema({ ...module, facts: { ...facts, ...place } }, language);
  const { madeOf } = module.codec;
  return madeOf === undefined ? text : `${text}\n${schemaLine(madeOf)}\n`;
}

/** For bundles, which are never compared with a schema. */
export function withoutSchema({ codec, schema, facts }: CodecModule, language: js.ModuleLanguage): string {
  const { helpers = null } = facts;
  const isShared = helpers !== null && codec.own !== undefined;
  const text = isShared ? codec.own! : codec.source;
  const imported = isShared ? `\n${helpersImport(text, helpers, language)}` : '';
  const lines = `${head(facts, codec).join('\n')}${imported}`;
  if (language === 'typescript') {
    const types = [...declarations(codec, schema, facts), ...(codec.declares ?? [])];
    const before = isShared ? '\n\n' : '\n';
    return `${lines}${before}${types.join('\n')}\n\n${js.asTypeScript(text)}\n`;
  }
  if (language === 'javascript') return `${lines}\n\n${js.asJavaScript(text)}\n`;
  const names = js.exportNames(codec.source).join(', ');
  return `${lines}\n\n${js.asPasted(text)}\n\nmodule.exports = { ${names} };\n`;
}

function declarations(
  { types, messageType }: Codec,
  schema: PayloadSchema | null,
  { exported, id }: Pick<ModuleFacts, 'exported' | 'id'>,
): string[] {
  const line = `export type Message = ${messageType};`;
  const ofLines = `export type Message =\n  | ${messageType.replace(/ \| (?=\{ asIs)/, '\n  | ')};`;
  const message = line.length <= js.LINE_WIDTH ? line : ofLines;
  if (exported) return [...exportedType(exported), ...(types?.slice(0, -1) ?? []), message];
  const own = schema && new SchemaTypes(schema, id.replace(/#.*$/s, '')).declarations();
  return [...(types ?? own ?? ['export type Payload = unknown;']), message];
}

const SIGNATURE = /^export (?:async )?(function .*) \{$/gm;

export function schemaDeclarations(codec: Codec, facts: Pick<ModuleFacts, 'exported' | 'id'>): string {
  const signatures = [...js.asTypeScript(codec.source).matchAll(SIGNATURE)].map(
    ([, one]) => `export ${one};`,
  );
  return `${[...declarations(codec, null, facts), ...signatures].join('\n')}\n`;
}

/** Matches declarations that codecs use. State is excluded, because importers cannot assign it. */
const CALLED = /^(type|function|const(?= [a-z]\w* = (?:\(|<|[a-z]\w*;))) (\w+)/gm;

const namesOf = (helpers: string) =>
  [...helpers.matchAll(CALLED)].map(([, kind, name = '']) => (kind === 'type' ? `type ${name}` : name));

export function helpersModule(version: string, language: js.ModuleLanguage): string {
  const what = 'what the codecs beside it call. Do not edit it: it is written with them.';
  const head = commentLines(`${MARKER.slice(3)} helpers ${version}: ${what} ${NO_CONDITIONS}`).join('\n');
  const helpers = js.inLanguage(ALL_HELPERS, language);
  if (language !== 'commonjs') return `${head}\n\n${helpers.replace(CALLED, 'export $&')}\n`;
  return `${head}\n\n${helpers}\n\n${js.listCode('module.exports = { ', namesOf(helpers), ' };')}\n`;
}

function helpersImport(own: string, from: string, language: js.ModuleLanguage): string {
  const mentioned = js.namesIn(own);
  const names = namesOf(js.inLanguage(ALL_HELPERS, language)).filter((name) =>
    mentioned.has(name.replace('type ', '')),
  );
  return language === 'commonjs'
    ? js.listCode('const { ', names, ` } = require(${js.literal(from)});`)
    : js.listCode('import { ', names, ` } from ${js.literal(from)};`);
}
