// Each task has the whole catalog, which is cloned for each query.
import { makeCatalog, QUERIES } from './catalog.mjs';
import { Pool } from './pool.mjs';

const catalog = makeCatalog();
const pool = new Pool(new URL('search.mjs', import.meta.url), { size: 2 });
const results = await Promise.all(QUERIES.map((query) => pool.run({ query, catalog })));
console.log(`${results.flat().length} products in ${results.length} shelves`);
await pool.close();
