import { defineConfig } from 'vite';
import { precompress } from './precompress.js';

// The gateway serves the application at "/" and its files below "/-/assets/": see its web/page.ts.
export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    // Bundles our packages from source.
    conditions: ['source', 'module', 'browser', 'development|production'],
    alias: { 'node:url': `${import.meta.dirname}/src/domain-to-ascii.ts` },
  },
  build: {
    target: 'es2022',
    assetsDir: '-/assets',
    // The content security policy forbids data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
  plugins: [precompress()],
});
