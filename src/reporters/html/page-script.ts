/**
 * Sorts the index of a page by its heads, and writes the name of a part below its drawing. Without it the index is sorted by
 * cost, and the browser shows names where the pointer is.
 */
export const PAGE_SCRIPT = `
for (const head of document.querySelectorAll('th[data-sort]')) {
  const button = document.createElement('button');
  button.textContent = head.textContent;
  head.replaceChildren(button);
  button.addEventListener('click', () => {
    const isUp = head.ariaSort ? head.ariaSort === 'descending' : head.dataset.sort === 'name';
    for (const other of head.parentElement.children) other.ariaSort = null;
    head.ariaSort = isUp ? 'ascending' : 'descending';
    const body = head.closest('table').tBodies[0];
    const order = head.dataset.sort === 'name'
      ? (a, b) => a.cells[0].textContent.localeCompare(b.cells[0].textContent, 'en')
      : (a, b) => a.dataset.cost - b.dataset.cost;
    body.append(...[...body.rows].sort((a, b) => (isUp ? order(a, b) : order(b, a))));
  });
}
for (const readout of document.querySelectorAll('.readout')) readout.textContent = 'Point at a part, or go there with Tab, to see its path.';
for (const kind of ['focusin', 'pointerover']) {
  document.addEventListener(kind, ({ target }) => {
    const title = target.closest?.('.cells svg')?.querySelector('title');
    if (title) title.closest('figure').querySelector('.readout').textContent = title.textContent;
  });
}
`;

/** The only script that the page's policy allows. test/reporters/html computes the hash again. */
export const PAGE_SCRIPT_HASH = 'sha256-hh3U3aw97Pik0a6QJUURRe2X+TqF9TyXJLgYDbAqtaU=';
