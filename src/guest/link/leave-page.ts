// Taken before user code can replace it. A worker has none.
const leave = location.replace?.bind(location);

/**
 * Makes room for the next guest of the same browser, which the host answers with: a page of another process.
 *
 * @param root the folder that the host serves to this guest
 */
export function leavePage(root: URL): void {
  leave(new URL('next', root));
}
