/**
 * Puts the recorder into a document, as its first script. Texts are bytes, a character each: what is read here is ASCII in all
 * encodings of pages but UTF-16.
 */
import { type Needed, policyWith } from './policy.ts';

/** Where a head is not over by then, it is taken to be. */
export const MOST_OF_HEAD = 2 ** 16;
const BODY = /<\/head\b|<body\b/i;

/** As much of the document as its head has been read. */
export const hasHead = (text: string): boolean => text.length >= MOST_OF_HEAD || BODY.test(text);

const UTF16 = /^(?:\xfe\xff|\xff\xfe)/;

export const isUtf16 = (text: string, contentType: string): boolean =>
  UTF16.test(text) || /charset\s*=\s*["']?utf-?16/i.test(contentType);

const COMMENT = '<!--(?:>|->|[\\s\\S]*?--!?>)';
const IN_TAG = '(?:[^>"\']|"[^"]*"|\'[^\']*\')*';
/** A script that stood before the doctype would change how the page is laid out; one before `<head>` would end the head. */
const START = new RegExp(
  `^(?:\\xef\\xbb\\xbf)?(?:\\s|${COMMENT}|<[!?][^>]*>|<html(?=[\\s/>])${IN_TAG}>)*(?:<head(?=[\\s/>])${IN_TAG}>)?`,
  'i',
);
const META = new RegExp(`${COMMENT}|<meta\\b${IN_TAG}>`, 'gi');
const ATTRIBUTE = (name: string) => new RegExp(`(\\s${name}\\s*=\\s*)("[^"]*"|'[^']*'|[^\\s>"']+)`, 'i');
const [EQUIV, CONTENT] = [ATTRIBUTE('http-equiv'), ATTRIBUTE('content')];

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&#39;': "'", '&#x27;': "'", '&apos;': "'", '&quot;': '"', '&#34;': '"', '&#x22;': '"', '&amp;': '&' },
};
const plain = (text: string) =>
  text.replace(/&(?:#39|#x27|apos|quot|#34|#x22|amp);/gi, (one) => ENTITIES[one.toLowerCase()]!);
const unquoted = (text: string) => plain(text.replace(/^(["'])([\s\S]*)\1$/, '$2'));

function policyIn(meta: string, needed: Needed): string {
  const equiv = meta.startsWith('<!') ? undefined : EQUIV.exec(meta)?.[2];
  if (equiv === undefined || unquoted(equiv).trim().toLowerCase() !== 'content-security-policy') return meta;
  return meta.replace(CONTENT, (_, name: string, value: string) => {
    const policy = policyWith(unquoted(value), needed);
    return `${name}"${policy.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  });
}

/** @param head the document, at least its head @param script address of the recorder */
export function htmlWith(head: string, script: string, needed: Needed): string {
  const { length } = START.exec(head)![0];
  const tag = `<script src="${script}" nonce="${needed.nonce}"></script>`;
  return head.slice(0, length) + tag + head.slice(length).replace(META, (one) => policyIn(one, needed));
}

/** Browsers look for it in the first kilobyte, which the recorder makes longer (HTML, "prescan a byte stream"). */
const PRESCANNED = 1024;

/** `content-type` with the encoding that the document itself names, where the header does not. */
export function typeWithCharset(contentType: string, text: string): string {
  if (/charset\s*=/i.test(contentType) || text.startsWith('\xef\xbb\xbf')) return contentType;
  for (const [meta] of text.slice(0, PRESCANNED).matchAll(META)) {
    const charset = meta.startsWith('<!') ? null : /\bcharset\s*=\s*["']?\s*([\w.:-]+)/i.exec(meta);
    if (charset) return `${contentType}; charset=${/^utf-?16/i.test(charset[1]!) ? 'utf-8' : charset[1]!}`;
  }
  return contentType;
}
