/** The message for the worker that resizes images. */
export const makeTask = (user, files) => ({
  task: 'resize',
  user: user.id,
  files: files.map((name, id) => ({ id, name, width: 800, height: 600 })),
});
