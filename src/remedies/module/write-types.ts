import { LINE_WIDTH, propertyName } from '../code/javascript.ts';

export interface ObjectType {
  properties: { key: string; isOptional: boolean; type: Type }[];
  /** Name of the alias, where it needs one. */
  name: string;
}

/** One alternative: text around an object type, or text alone. */
export interface Alternative {
  before: string;
  object: ObjectType | null;
  after: string;
}

export type Type = Alternative[];

const property = ({ key, isOptional }: ObjectType['properties'][number], type: string): string =>
  `${propertyName(key)}${isOptional ? '?' : ''}: ${type};`;

function inlineObject({ properties }: ObjectType): string {
  return `{ ${properties
    .map((one) => property(one, inlineType(one.type)))
    .join(' ')
    .replace(/;$/, '')} }`;
}

export const inlineType = (type: Type): string =>
  type.map(({ before, object, after }) => before + (object ? inlineObject(object) : '') + after).join(' | ');

/** Declares types in as few lines as their length allows. */
export class TypeWriter {
  /** Declarations of the aliases; the outermost come last. */
  readonly declarations: string[] = [];
  readonly #taken: Map<string, string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Map(taken.map((name) => [name, '']));
  }

  declare(name: string, type: Type, exported: string): void {
    const line = (of: string) => `${exported}type ${name} = ${of};`;
    const [only, ...others] = type;
    const whole = line(inlineType(type));
    if (whole.length <= LINE_WIDTH || only === undefined) return void this.declarations.push(whole);
    if (only.object === null || others.length > 0 || only.before + only.after !== '')
      return void this.declarations.push(line(this.#named(type)));
    this.#declareObject(name, only.object.properties, exported);
  }

  /** The longest properties get names until the rest fits on a line; where it never does, each has a line. */
  #declareObject(name: string, properties: ObjectType['properties'], exported: string): void {
    const line = (named: ReadonlySet<unknown>) => {
      const texts = properties.map((one) =>
        property(one, named.has(one) ? this.#nameIn(one.type) : inlineType(one.type)),
      );
      return `${exported}type ${name} = { ${texts.join(' ').replace(/;$/, '')} };`;
    };
    const longest = [...properties].sort((a, b) => inlineType(b.type).length - inlineType(a.type).length);
    const counts = longest.map((_, at) => at + 1);
    const count = counts.find((n) => line(new Set(longest.slice(0, n))).length <= LINE_WIDTH);
    const isNamed = (one: ObjectType['properties'][number]) =>
      count === undefined
        ? `  ${property(one, inlineType(one.type))}`.length > LINE_WIDTH
        : longest.indexOf(one) < count;
    const texts = properties.map((one) =>
      property(one, isNamed(one) ? this.#named(one.type) : inlineType(one.type)),
    );
    this.declarations.push(
      count === undefined
        ? `export type ${name} = {\n${texts.map((one) => `  ${one}\n`).join('')}};`
        : `${exported}type ${name} = { ${texts.join(' ').replace(/;$/, '')} };`,
    );
  }

  #nameIn(type: Type): string {
    return type
      .map(({ before, object, after }) => before + (object ? this.#aliasName(object) : '') + after)
      .join(' | ');
  }

  /** The same, with its objects declared. */
  #named(type: Type): string {
    for (const { object } of type) {
      if (object === null) continue;
      const name = this.#aliasName(object);
      if (this.#taken.has(name)) continue;
      this.#taken.set(name, inlineObject(object));
      this.declare(name, [{ before: '', object, after: '' }], '');
    }
    return this.#nameIn(type);
  }

  #aliasName(object: ObjectType): string {
    const wanted = (object.name[0] ?? 'V').toUpperCase() + object.name.slice(1);
    const body = inlineObject(object);
    const nameAt = (n: number): string => {
      const name = n === 1 ? wanted : `${wanted}${n}`;
      return (this.#taken.get(name) ?? body) === body ? name : nameAt(n + 1);
    };
    return nameAt(1);
  }
}
