import { visible } from '../reporters/text/escape.ts';

type Child = Node | string | null | readonly Child[];
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** Texts are shown, never read as markup; what would reorder or hide a line is escaped. */
function append(into: ParentNode, child: Child): void {
  if (child === null) return;
  if (typeof child === 'string') into.append(visible(child));
  else if (child instanceof Node) into.append(child);
  else for (const one of child) append(into, one);
}

function withAttributes<E extends Element>(made: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  append(made, children);
  return made;
}

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return withAttributes(document.createElement(tag), attributes, children);
}
