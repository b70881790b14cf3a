declare module 'cloudflare:workers' {
  export const env: unknown;
}
