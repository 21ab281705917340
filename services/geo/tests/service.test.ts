import { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import { connect, readSettings } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGeoService } from '../src/service.js';
import { geoSettings } from '../src/settings.js';

let service: Awaited<ReturnType<typeof createGeoService>>;
beforeAll(async () => {
  const settings = readSettings(geoSettings, { CADASTRE_GEO_LISTEN: '127.0.0.1:0' });
  service = await createGeoService(settings, { logger: testLogger() });
  await service.start();
});
afterAll(() => service.stop());

const client = () => ({ address: service.address(), deadlineMs: 5000, name: 'test' });

test('the service runs and says that it knows no locations yet', async () => {
  const geolocation = connect(GeolocationServiceService, client());
  await expect(geolocation.locate({ resource: '192.0.2.1' })).rejects.toMatchObject({ kind: 'unimplemented' });
  geolocation.close();
});

test('a stream is refused the same way', async () => {
  const contacts = connect(AbuseContactServiceService, client());
  async function* questions() {
    yield { resource: '192.0.2.1' };
  }
  const answers = contacts.findAbuseContacts(questions())[Symbol.asyncIterator]();
  await expect(answers.next()).rejects.toMatchObject({ kind: 'unimplemented' });
  contacts.close();
});
