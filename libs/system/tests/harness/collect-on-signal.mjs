// Loaded before a service (node --expose-gc --import): at SIGUSR2 its main thread collects all garbage, so that the size
// of its heap is what it keeps.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) process.on('SIGUSR2', () => globalThis.gc());
