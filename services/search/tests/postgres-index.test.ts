import { testDatabase } from '@cadastre/service/testing';
import { describe } from 'vitest';
import { createPostgresIndex } from '../src/postgres/postgres-index.js';
import { indexContract } from './index-contract.js';

describe('the index in PostgreSQL', () => {
  indexContract(async () => {
    const database = await testDatabase(new URL('../migrations/', import.meta.url));
    const index = createPostgresIndex({ url: database.url, connections: 4 });
    return { index, close: () => database.drop() };
  });
});
