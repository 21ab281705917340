import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testLogger } from '@cadastre/service/testing';
import { createEmbeddedIndex } from '../src/embedded/embedded-index.js';
import { indexContract } from './index-contract.js';

indexContract(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-index-'));
  const index = createEmbeddedIndex({ directory, logger: testLogger() });
  return { index, close: () => rm(directory, { recursive: true }) };
});
