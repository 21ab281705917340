import { SearchServiceService } from '@cadastre/proto/search';
import { connect, readSettings } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { createSearchService } from '../src/service.js';
import { searchSettings } from '../src/settings.js';

test('the service runs and says that it cannot search yet', async () => {
  const settings = readSettings(searchSettings, { CADASTRE_SEARCH_LISTEN: '127.0.0.1:0' });
  const service = await createSearchService(settings, { logger: testLogger() });
  await service.start();
  const client = connect(SearchServiceService, { address: service.address(), deadlineMs: 5000, name: 'test' });
  await expect(client.rebuildIndex({ source: 'TEST' })).rejects.toMatchObject({
    kind: 'unimplemented',
    messages: [{ text: 'Search is not available yet' }],
  });
  client.close();
  await service.stop();
});
