// Declarations of the documents' types for who has no zod: made from the schemas, which the sources infer them from.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const NAME = /^export (?:type|interface) (\w+)/;
/** A type ends where the next line is neither indented nor a bracket. */
const WRITTEN = /^export (?:interface \w+ \{[\s\S]*?^\}|type \w+ =(?! s\.TypeOf)[\s\S]*?;$(?!\n[ \]}]))/gm;
const RECURSIVE = /^export const (\w+): s\.Schema<(\w+)> =/gm;
/** Types of the schemas in a table, by their keys: `type Of<K extends keyof typeof NODES> = s.TypeOf<(typeof NODES)[K]>` */
const TABLE = /^(?:export )?type (\w+)<K extends keyof typeof (\w+)> = s\.TypeOf<\(typeof \2\)\[K\]>;$/m;
const INFERRED = /^export (?:type|interface) (\w+) (?:=|extends) s\.TypeOf<typeof (\w+)>(?:;| \{\})$/gm;

/** `schema` as TypeScript. @param shared definitions that have no type of their own */
function typeOf(schema, shared) {
  const inner = (one) => typeOf(one, shared);
  if (schema.$ref) {
    const [, id] = schema.$ref.split('#/$defs/');
    return id === undefined ? schema.$ref : inner(shared[id]);
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return either.map(inner).join(' | ');
  if (schema.prefixItems) return `[${schema.prefixItems.map(inner).join(', ')}]`;
  if (schema.type === 'array') return `(${inner(schema.items)})[]`;
  if (schema.type === 'object') return objectType(schema, inner);
  const types = [schema.type ?? 'unknown'].flat();
  return types.map((type) => (type === 'integer' ? 'number' : type)).join(' | ');
}

function objectType({ properties = {}, required = [], additionalProperties: others }, inner) {
  const fields = Object.entries(properties).map(([name, field]) => {
    const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
    const absent = field.mayBeUndefined ? ' | undefined' : '';
    return `${doc(field)}${key}${required.includes(name) ? '' : '?'}: ${inner(field)}${absent};`;
  });
  if (typeof others === 'object') fields.push(`[name: string]: ${inner(others)};`);
  return `{\n${fields.join('\n')}\n}`;
}

const doc = ({ description }) => (description ? `/** ${description.replaceAll('*/', '*\\/')} */\n` : '');

/** What is in a file of src/model/documents: inferred types with the names of their schemas, and declarations of other types. */
function declared(source) {
  const inferred = [...source.matchAll(INFERRED)].map(([, type, schema]) => ({
    type,
    in: (one) => one[schema],
  }));
  const recursive = [...source.matchAll(RECURSIVE)].map(([, schema, type]) => ({
    type,
    in: (one) => one[schema],
  }));
  const [, of, table] = TABLE.exec(source) ?? [];
  const ofTable = new RegExp(`^(?:export )?interface (\\w+) extends ${of}<'(\\w+)'> \\{\\}$`, 'gm');
  for (const [, type, key] of source.matchAll(ofTable)) inferred.push({ type, in: (one) => one[table][key] });
  // Declarations have no table that a type could be taken from.
  const written = (source.match(WRITTEN) ?? []).filter((text) => !text.includes(`${of}<`));
  return { inferred, recursive, written };
}

/**
 * Texts by file name, in place of what tsc emits for src/model/documents: all types in one file, of which the others
 * export theirs.
 */
export async function documentTypes(root) {
  const folder = join(root, 'src', 'model', 'documents');
  const names = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.ts'));
  const files = names.map((file) => ({
    name: file.replaceAll('\\', '/').replace(/\.ts$/, ''),
    ...declared(readFileSync(join(folder, file), 'utf8')),
  }));
  const { z, ...modules } = await loaded(folder, files);
  const registry = z.registry();
  for (const { name, inferred, recursive } of files) {
    for (const one of [...inferred, ...recursive]) registry.add(one.in(modules[name]), { id: one.type });
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => id,
    // Fields of documents are absent, those of the config may be undefined too.
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodMiniOptional) jsonSchema.mayBeUndefined = true;
    },
  });
  const shared = schemas.__shared?.$defs ?? {};
  const written = files.flatMap((file) => file.written);
  const made = files.flatMap(({ inferred }) =>
    inferred.map(
      ({ type }) => `${doc(schemas[type])}export type ${type} = ${typeOf(schemas[type], shared)};`,
    ),
  );
  const exported = files.map(({ name, inferred, written }) => {
    const types = [...inferred.map(({ type }) => type), ...written.map((text) => NAME.exec(text)[1])];
    const above = name.includes('/') ? '..' : '.';
    return [`${name}.d.ts`, `export type { ${types.join(', ')} } from '${above}/types.ts';\n`];
  });
  return new Map([...exported, ['types.d.ts', `${[...made, ...written].join('\n')}\n`]]);
}

/** The schemas, and the zod that made them. */
async function loaded(folder, files) {
  const contents = [
    ...files.map(({ name }) => `export * as ${JSON.stringify(name)} from './${name}.ts';`),
    "export * as z from 'zod/mini';",
  ].join('\n');
  const { outputFiles } = await build({
    ...{ stdin: { contents, resolveDir: folder }, bundle: true, write: false },
    ...{ format: 'esm', platform: 'node', target: 'node20' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
