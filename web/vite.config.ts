import { defineConfig } from 'vite';
import { precompress } from './precompress.js';

// The application is served at "/" and its files below "/-/assets/": see services/gateway/src/routes/page.ts.
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    // Our packages are bundled from their sources.
    conditions: ['source', 'module', 'browser', 'development|production'],
    alias: { 'node:url': `${import.meta.dirname}/src/domain-to-ascii.ts` },
  },
  build: {
    target: 'es2022',
    assetsDir: '-/assets',
    // The content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [precompress()],
});
