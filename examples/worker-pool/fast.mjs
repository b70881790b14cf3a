// Each worker gets the catalog once; a task has only its query.
import { makeCatalog, QUERIES } from './catalog.mjs';
import { Pool } from './pool.mjs';

const workerData = { catalog: makeCatalog() };
const pool = new Pool(new URL('search.mjs', import.meta.url), { size: 2, workerData });
const results = await Promise.all(QUERIES.map((query) => pool.run({ query })));
console.log(`${results.flat().length} products in ${results.length} shelves`);
await pool.close();
