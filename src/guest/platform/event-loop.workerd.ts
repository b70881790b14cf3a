/** Taken before user code loads. */
const later = setTimeout;

/** Resolves after one turn of the event loop. workerd waits for no minimum, as browsers do. */
export function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    later(resolve, 0);
  });
}
