declare module 'cloudflare:workers' {
  /** Bindings of the worker that this code runs in. */
  export const env: unknown;
}
