// The rule on circles of folders, for `npm run check`.
export { folders as default } from '../.dependency-cruiser.mjs';
