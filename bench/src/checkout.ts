import { fileURLToPath } from 'node:url';

/** Folder of this checkout. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url));
