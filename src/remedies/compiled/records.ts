import type { RecordField, RecordType } from '../../model/rules/payload-schema.ts';
import { indent, listed, literal, member, propertyName } from '../code/javascript.ts';

/** What the functions of a record are made of. */
export interface RecordParts {
  /** `Order` */
  name: string;
  record: RecordType;
  /** Statement that writes the value of a field. */
  write(field: RecordField, value: string): string;
  /** Expression that reads it. */
  read(field: RecordField): string;
}

/** Constants, and the functions for both directions. */
export interface RecordCode {
  writer: string;
  reader: string;
  helpers: string[];
}

const upperCase = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();

const bitsOf = (name: string): string => `${upperCase(name)}_BITS`;

const lowerCase = (name: string): string => {
  const lower = (name[0] ?? '').toLowerCase() + name.slice(1);
  return /^(value|path|known|has|layout|i|d|r|t|text|ints|doubles|rest|words|from|missed|at|keys|list|object|record|class|default|delete|enum|export|function|import|new|package|private|public|return|static|switch|this|typeof|var|void|with|in|interface|case|const|continue|do|else|extends|false|for|if|null|super|throw|true|try|while|yield|let|await|async|arguments|eval|protected|implements|debugger|catch|finally|break|undefined|instanceof)$/.test(
    lower,
  )
    ? `${lower}_`
    : lower;
};

const keyList = (keys: readonly string[]): string[] => keys.map((key) => literal(key));

const writerHead = (name: string): string =>
  `function write${name}(value/*: unknown */, path/*: string */, known = '')/*: void */ {`;

export function recordCode(parts: RecordParts): RecordCode {
  const { layouts } = parts.record;
  if (layouts === undefined) return byPresence(parts);
  return layouts.length === 1 ? oneLayout(parts) : severalLayouts(parts);
}

/** Condition on `value`: it has keys of the record. */
export function recordTest(name: string, { layouts }: RecordType): { test: string; helper: string } {
  const keys = `${upperCase(name)}_KEYS`;
  if (layouts === undefined)
    return { test: `presence(value, ${keys}, ${bitsOf(name)}) >= 0`, helper: 'presence' };
  return layouts.length === 1
    ? { test: `fits(value, ${keys})`, helper: 'fits' }
    : { test: `layoutOf(value, ${keys}) >= 0`, helper: 'layoutOf' };
}

const source = (name: string, key: string): string => `${lowerCase(name)}${member(key)}`;

const cast = (name: string): string => `const ${lowerCase(name)} = value/*as ${name} */;`;

const objectOf = (fields: readonly RecordField[], read: RecordParts['read'], margin: number): string =>
  listed(
    '{ ',
    fields.map((field) => `${propertyName(field.key)}: ${read(field)}`),
    ' }',
    margin,
  );

function oneLayout({ name, record: { fields }, write, read }: RecordParts): RecordCode {
  const keys = `${upperCase(name)}_KEYS`;
  const isUsed = fields.length > 0;
  const body = [
    `if (!fits(value, ${keys})) return writeOther(value, path, known);`,
    ...(isUsed ? [cast(name)] : []),
    'ints[i++] = 0;',
    ...fields.map((field) => write(field, source(name, field.key))),
  ];
  const back = [
    'const mark = nextInt();',
    `if (mark !== 0) return readOther(mark)/*as ${name} */;`,
    `return ${objectOf(fields, read, 10)};`,
  ];
  return {
    writer: `${listed(`const ${keys} = [`, keyList(fields.map(({ key }) => key)), '];')}

${writerHead(name)}
${indent(body.join('\n'))}
}`,
    reader: readerOf(name, back),
    helpers: ['fits', 'writeOther', 'readOther', 'nextInt'],
  };
}

const readerOf = (name: string, body: readonly string[]): string =>
  `function read${name}()/*: ${name} */ {\n${indent(body.join('\n'))}\n}`;

function severalLayouts({ name, record: { fields, layouts = [] }, write, read }: RecordParts): RecordCode {
  const keys = `${upperCase(name)}_KEYS`;
  const lists = layouts.map((one) => `[${keyList(one.map((at) => fields[at]!.key)).join(', ')}]`);
  const condition = (at: number): string | null => {
    const having = layouts.flatMap((one, layout) => (one.includes(at) ? [layout] : []));
    if (having.length === layouts.length) return null;
    const others = layouts.flatMap((one, layout) => (one.includes(at) ? [] : [layout]));
    return having.length <= others.length
      ? having.map((layout) => `layout === ${layout}`).join(' || ')
      : others.map((layout) => `layout !== ${layout}`).join(' && ');
  };
  const isOrdered = layouts.every((one) => one.every((at, i) => i === 0 || one[i - 1]! < at));
  const statements = (): string[] =>
    fields.map((field, at) => {
      const when = condition(at);
      const statement = write(field, source(name, field.key));
      return when === null ? statement : `if (${when}) ${statement}`;
    });
  const switched = (): string[] =>
    layouts.flatMap((one, layout) => [
      `if (layout === ${layout}) {`,
      ...one.map((at) => `  ${write(fields[at]!, source(name, fields[at]!.key))}`),
      '}',
    ]);
  const body = [
    `const layout = layoutOf(value, ${keys});`,
    'if (layout < 0) return writeOther(value, path, known);',
    cast(name),
    'ints[i++] = layout;',
    ...(isOrdered ? statements() : switched()),
  ];
  const back = [
    'const layout = nextInt();',
    ...layouts.map((one, layout) => {
      const object = objectOf(
        one.map((at) => fields[at]!),
        read,
        30,
      );
      return `if (layout === ${layout}) return ${object};`;
    }),
    `return readOther(layout)/*as ${name} */;`,
  ];
  return {
    writer: `${listed(`const ${keys} = [`, lists, '];')}

${writerHead(name)}
${indent(body.join('\n'))}
}`,
    reader: readerOf(name, back),
    helpers: ['layoutOf', 'writeOther', 'readOther', 'nextInt'],
  };
}

/** Required keys before the first optional one are in one literal; the others are set in their order. */
function byPresence({ name, record: { fields }, write, read }: RecordParts): RecordCode {
  const keys = `${upperCase(name)}_KEYS`;
  let next = 1;
  const bits = fields.map(({ optional }) => {
    const bit = optional ? next : 0;
    if (optional) next *= 2;
    return bit;
  });
  const object = lowerCase(name);
  const first = fields.findIndex(({ optional }) => optional);
  const when = (at: number, statement: string): string =>
    bits[at] === 0 ? statement : `if (has & ${bits[at]}) ${statement}`;
  const body = [
    `const has = presence(value, ${keys}, ${bitsOf(name)});`,
    'if (has < 0) return writeOther(value, path, known);',
    cast(name),
    'ints[i++] = has;',
    ...fields.map((field, at) => when(at, write(field, source(name, field.key)))),
  ];
  const set = (field: RecordField): string =>
    field.key === '__proto__'
      ? `setKey(${object}, '__proto__', ${read(field)});`
      : `${object}${member(field.key)} = ${read(field)};`;
  const back = [
    'const has = nextInt();',
    `if (!(has >= 0)) return readOther(has)/*as ${name} */;`,
    `const ${object} = ${objectOf(fields.slice(0, first), read, 20)}/*as ${name} */;`,
    ...fields.slice(first).map((field, at) => when(first + at, set(field))),
    `return ${object};`,
  ];
  return {
    writer: `${listed(`const ${keys} = [`, keyList(fields.map(({ key }) => key)), '];')}
${listed(`const ${bitsOf(name)} = [`, bits.map(String), '];')}

${writerHead(name)}
${indent(body.join('\n'))}
}`,
    reader: readerOf(name, back),
    helpers: [
      'presence',
      'writeOther',
      'readOther',
      'nextInt',
      ...(fields.some(({ key }) => key === '__proto__') ? ['setKey'] : []),
    ],
  };
}
