/** What a recording tells of each site, beside what was counted there. */
import type { RecordedMessages, ThrownPosts } from '../../src/model/documents/recorded/recording.ts';
import { groupedBy, sumOf } from '../../src/model/sums.ts';
import type { Counted } from './counter/counted.ts';

export interface SiteAgreement {
  /** Call and site. */
  key: string;
  counted: number;
  told: number;
  /** The recording says that it is not sure of the number. */
  isEstimated: boolean;
  /** null where one of the two knows no size, and where messages lack: what is told is of the others. */
  bytes: { counted: number; low: number; high: number } | null;
}

type Placed = Pick<RecordedMessages, 'api' | 'site'>;

const siteOf = ({ site: { user, library } }: Placed): string =>
  user === null ? (library?.name ?? 'nowhere') : `${user.file}:${user.line}`;

/** As the counter names it. */
export const keyOfGroup = (group: Placed, tellsSites: boolean): string =>
  tellsSites ? `${group.api} ${siteOf(group)}` : group.api;

/** @param tellsSites else only calls are told apart */
export function agreementOf(messages: readonly RecordedMessages[], { sites }: Counted, tellsSites = true) {
  const told = groupedBy(messages, (group) => keyOfGroup(group, tellsSites));
  const known = [...sites].filter(([, { count }]) => count > 0);
  const keys = new Set([...known.map(([key]) => key), ...told.keys()]);
  return [...keys].sort().map((key) => {
    const groups = told.get(key) ?? [];
    const counted = sites.get(key) ?? { count: 0, bytes: null };
    const sized = groups.flatMap(({ bytes }) => bytes ?? []);
    const count = sumOf(groups, (one) => one.count);
    const isSized = groups.length > 0 && sized.length === groups.length && counted.bytes !== null;
    return {
      key,
      counted: counted.count,
      told: count,
      isEstimated: groups.some(({ estimated }) => estimated),
      bytes:
        isSized && count >= counted.count
          ? {
              counted: counted.bytes!,
              low: sumOf(sized, ({ ci }) => ci[0]),
              high: sumOf(sized, ({ ci }) => ci[1]),
            }
          : null,
    };
  });
}

/** Rounding is no error. */
const ROUNDING = 1e-4;

export const isWithin = ({ counted, low, high }: NonNullable<SiteAgreement['bytes']>): boolean =>
  low * (1 - ROUNDING) <= counted && counted <= high * (1 + ROUNDING);

export interface Counts {
  counted: number;
  /** Of these the recording says that its numbers may be too low, and they are. */
  tail: number;
  /** One sentence for each number that is wrong. */
  wrong: string[];
}

/**
 * Of each call all messages are compared, and of each site those whose number is not an estimate: where several lines post
 * alike messages to one receiver, how many each of them posted is one.
 */
export function countsOf(sites: readonly SiteAgreement[]): Counts {
  const wrong = sites
    .filter(({ isEstimated, counted, told }) => !isEstimated && counted !== told)
    .map(({ key, counted, told }) => `${key}: ${told} told, ${counted} counted`);
  let tail = 0;
  const apiOf = ({ key }: SiteAgreement) => key.split(' ')[0]!;
  for (const api of new Set(sites.map(apiOf))) {
    const own = sites.filter((one) => apiOf(one) === api);
    const [counted, told] = [sumOf(own, (one) => one.counted), sumOf(own, (one) => one.told)];
    const mayLack = own.some(({ isEstimated }) => isEstimated);
    if (mayLack && told < counted) tail += counted - told;
    else if (told !== counted) wrong.push(`${api}: ${told} told in all, ${counted} counted`);
  }
  return { counted: sumOf(sites, (one) => one.counted), tail, wrong };
}

/** One sentence for each call of which the numbers of posts that threw differ. */
export function thrownApart(told: readonly ThrownPosts[], { thrown }: Counted): string[] {
  return [...new Set([...told.map(({ api }) => api), ...thrown.keys()])].flatMap((api) => {
    const sum = sumOf(
      told.filter((one) => one.api === api),
      ({ count }) => count,
    );
    const counted = thrown.get(api) ?? 0;
    return sum === counted ? [] : [`${api}: ${sum} posts told that threw, ${counted} counted`];
  });
}
