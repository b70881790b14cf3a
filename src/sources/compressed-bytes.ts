import { gzipSync } from 'node:zlib';

/** Bytes of a TypeScript module as a bundler ships it: minified, and compressed with gzip. */
export async function compressedBytes(module: string): Promise<number> {
  const { transform } = await import('esbuild');
  const { code } = await transform(module, { loader: 'ts', minify: true, format: 'esm' });
  return gzipSync(code, { level: 9 }).length;
}
