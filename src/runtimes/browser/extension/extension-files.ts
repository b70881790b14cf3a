/** The files of an extension whose page is a guest, and whose service worker is what it posts to. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../../machine/package-file.ts';
import type { ExtensionChannel } from '../../../model/names.ts';

/** Isolated, as the pages that the server has. An unpacked extension may run scripts of 127.0.0.1. */
const manifest = (channel: ExtensionChannel, root: string) => ({
  manifest_version: 3,
  name: 'clone-prof',
  version: '1.0',
  // The service worker reads it there: it is a file that knows no address.
  homepage_url: root,
  background: { service_worker: 'background.js', type: 'module' },
  host_permissions: ['http://127.0.0.1/*'],
  cross_origin_opener_policy: { value: 'same-origin' },
  cross_origin_embedder_policy: { value: 'require-corp' },
  content_security_policy: { extension_pages: "script-src 'self' http://127.0.0.1:*; object-src 'self'" },
  ...(channel === 'extension-clone' && { message_serialization: 'structured_clone' }),
});

const folder = packageFile('dist/guest/page');
const bundle = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** The peer's own file, and what it has in common with others. */
const peerFiles = (): [name: string, text: string][] =>
  readdirSync(folder)
    .filter((file) => /^(peer|chunk-\w+)\.mjs$/.test(file))
    .map((file) => [file, bundle(file)]);

const page = (root: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>clone-prof</title>
<script type="module" src="${root}guest/page.mjs"></script>
<body></body>
`;

/** By name. @param root the address of the session that serves what the guest loads */
export const extensionFiles = (channel: ExtensionChannel, root: string): Record<string, string> => ({
  'manifest.json': JSON.stringify(manifest(channel, root)),
  'page.html': page(root),
  'background.js': bundle('background.mjs'),
  ...Object.fromEntries(peerFiles()),
});
