import type { RecordedMessages, ThrownPosts } from '../../model/documents/recorded/recording.ts';
import { count, counted } from '../../model/units.ts';

type Placed = Pick<RecordedMessages, 'site' | 'api'>;

/** "src/pool.js:41", "piscina/dist/index.js:812"; the called function if nothing is known. */
export function placeOfSite({ site: { user, library }, api }: Placed): string {
  if (user !== null) return `${user.file}:${user.line}`;
  if (library === null) return api;
  const { name, frame } = library;
  const at = frame.file.lastIndexOf(`node_modules/${name}/`);
  const below = frame.file.slice(at + 'node_modules/'.length);
  return `${at < 0 ? `${name} ${frame.file.split('/').at(-1)}` : below}:${frame.line}`;
}

/** "src/app.js:12: 50 of 51 posts threw DataCloneError: $.user.save is a function" */
export function thrownText(one: ThrownPosts): string {
  const { posts, error, refused } = one;
  const what = refused === null ? '' : `: ${refused.path} is ${refused.what}`;
  return `${placeOfSite(one)}: ${count(one.count)} of ${counted(posts, 'post')} threw ${error}${what}`;
}

/**
 * Short names, each different: "pool.js:41", "a/pool.js:41" if two files have that name, "pool.js:41#2" for the second
 * group of one site. They depend on the recording alone, not on the part of it that is shown.
 */
export function siteNames(messages: readonly Placed[]): string[] {
  const places = messages.map(placeOfSite);
  const owners = new Map<string, number>();
  for (const place of new Set(places)) {
    for (const name of endings(place)) owners.set(name, (owners.get(name) ?? 0) + 1);
  }
  const seen = new Map<string, number>();
  return places.map((place) => {
    const name = endings(place).find((ending) => owners.get(ending) === 1) ?? place;
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return nth === 1 ? name : `${name}#${nth}`;
  });
}

/** Deeper folders do not tell files apart. */
const MAX_FOLDERS = 12;

/** "pool.js:41", "src/pool.js:41", ... */
function endings(place: string): string[] {
  const parts = place.split('/');
  const most = Math.min(parts.length, MAX_FOLDERS);
  return Array.from({ length: most }, (_, folders) => parts.slice(-folders - 1).join('/'));
}

/** Indices of the sites that `--site` means: by name, else by a part of file and line, library or called function. */
export function sitesNamed(messages: readonly Placed[], text: string): number[] {
  const named = siteNames(messages).indexOf(text);
  if (named >= 0) return [named];
  const textsOf = (one: Placed) => [placeOfSite(one), one.site.library?.name ?? '', one.api];
  return [...messages.keys()].filter((at) => textsOf(messages[at]!).some((name) => name.includes(text)));
}

/** A site with more kinds of messages is rather in a library that all posts of a program pass. */
const MAX_GROUPS = 16;

/** Indices of the groups that were posted at the same site as this one, which is among them. */
export function groupsOfSite(messages: readonly Placed[], index: number): number[] {
  const { api } = messages[index]!;
  const place = placeOfSite(messages[index]!);
  const others = [...messages.keys()].filter(
    (at) => at !== index && messages[at]!.api === api && placeOfSite(messages[at]!) === place,
  );
  return [index, ...others.slice(0, MAX_GROUPS - 1)].sort((a, b) => a - b);
}
