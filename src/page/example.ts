const order = (id: number) => ({
  id,
  customer: { id: id * 7, name: `Customer ${id}` },
  lines: [
    { sku: `A-${id}`, price: id / 4, count: 1 },
    { sku: `B-${id}`, price: id / 8, count: 2 },
  ],
});

/** Records in records, which most programs post. */
export const EXAMPLE = JSON.stringify({ orders: Array.from({ length: 40 }, (_, id) => order(id)) }, null, 1);
