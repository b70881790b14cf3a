/** The cheapest message on every runtime: Bun shares only strings among primitives, and Deno's codec takes them too. */
export const EMPTY = '';
