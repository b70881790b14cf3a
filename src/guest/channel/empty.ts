/** The cheapest message on every runtime: of primitives Bun shares only strings, and Deno's codec takes it too. */
export const EMPTY = '';
