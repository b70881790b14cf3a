/** The files of an extension whose pages are guests. */
import type { ExtensionChannel } from '../../../model/names.ts';

/** Isolated, as the pages that the server has. An unpacked extension may run scripts of 127.0.0.1. */
const manifest = (channel: ExtensionChannel) => ({
  manifest_version: 3,
  name: 'clone-prof',
  version: '1.0',
  host_permissions: ['http://127.0.0.1/*'],
  cross_origin_opener_policy: { value: 'same-origin' },
  cross_origin_embedder_policy: { value: 'require-corp' },
  content_security_policy: { extension_pages: "script-src 'self' http://127.0.0.1:*; object-src 'self'" },
  ...(channel === 'extension-clone' && { message_serialization: 'structured_clone' }),
});

/** The page of the guest, and those of frames in it. */
const PAGES = ['page', 'peer', 'acknowledging-receiver'] as const;

const document = (script: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>clone-prof</title>
<script type="module" src="${script}"></script>
<body></body>
`;

/** By name. @param root the address of the session that serves their scripts */
export const extensionFiles = (channel: ExtensionChannel, root: string): Record<string, string> => ({
  'manifest.json': JSON.stringify(manifest(channel)),
  ...Object.fromEntries(PAGES.map((name) => [`${name}.html`, document(`${root}guest/${name}.mjs`)])),
});
