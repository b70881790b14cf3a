import { literal, member, WIDTH } from '../code/javascript.ts';

/** An export of a TypeScript file, which the payload has the type of. */
export interface Exported {
  /** Relative to the module that imports it. */
  file: string;
  export: string;
}

/** Bundlers and all settings of `moduleResolution` know the TypeScript behind the name of what it is compiled to. */
export const compiledName = (file: string): string =>
  (file.startsWith('.') ? file : `./${file}`).replace(/\.([mc]?)tsx?$/, '.$1js');

/** Declares `Payload` as the export, or as what it makes where it is a function. */
export function exportedType({ file, export: name }: Exported): string[] {
  const type = `typeof source${member(name)}`;
  const line = `export type Payload = ${type} extends (...args: never[]) => infer Made`;
  const made = [`? Awaited<Made>`, `: Awaited<${type}>;`];
  const whole = [line, ...made].join(' ');
  return [
    `import type * as source from ${literal(compiledName(file))};`,
    '',
    '/** As it is exported, or made by the function that is. */',
    whole.length <= WIDTH ? whole : [line, ...made.map((one) => `  ${one}`)].join('\n'),
  ];
}
