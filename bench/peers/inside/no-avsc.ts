/** In pages: avsc needs modules of Node. */
export default {
  Type: {
    forValue(): never {
      throw new Error('not in pages');
    },
  },
};
