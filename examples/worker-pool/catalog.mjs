const COLOURS = ['red', 'green', 'blue', 'black', 'white'];

export const makeCatalog = () =>
  Array.from({ length: 2000 }, (_, id) => ({
    id,
    name: `${COLOURS[id % COLOURS.length]} product ${id}`,
    price: { amount: (id % 97) + 0.99, currency: 'EUR' },
    tags: [`shelf-${id % 40}`, `supplier-${id % 7}`],
  }));

export const QUERIES = Array.from({ length: 40 }, (_, shelf) => `shelf-${shelf}`);
