/** All pages that are open, and the one server of them. */
import { PageServer } from './pages/page-server.ts';
import type { PageSession } from './pages/page-session.ts';
import type { Tab } from './tab.ts';

export const tabs = new Set<Tab>();
export const server = new PageServer(nextPage);

/** The page has made room: the next one is loaded at once, in a process of its own, and waits for its guest. */
async function nextPage(left: PageSession): Promise<string> {
  for (const tab of tabs) if (tab.session === left) return server.open(tab.nextPage());
  throw new Error('no such page');
}

/** Until its browser ends. */
export function keepTab(tab: Tab): Tab {
  tabs.add(tab);
  void tab.browser.ended.then(() => {
    tabs.delete(tab);
    server.close(tab.session);
  });
  return tab;
}
