import { ServiceError } from '@cadastre/service';
import { afterAll, expect, test } from 'vitest';
import { createVersionReader } from './version-reader.js';

const versions = createVersionReader();

afterAll(() => versions.close());

const personText = (remarks: number) =>
  `person:         Example Person\naddress:        Example Street 1\nnic-hdl:        EP1-TEST\nmnt-ref:        OTHER-MNT\n${'remarks:        some text\n'.repeat(remarks)}abuse-c:        AR1-TEST\nsource:         TEST\n`;

test.each([
  ['small', 1],
  ['large', 10_000],
])('a %s version shows no address', async (_, remarks) => {
  const shown = await versions.show({ type: 'person', key: 'ep1-test', text: personText(remarks) });
  expect(shown.key).toBe('EP1-TEST');
  expect(shown.text).toBe(
    personText(remarks)
      .replace(/address:.*\n/, '')
      .replace(/source: +TEST/, 'source:         TEST # Filtered'),
  );
});

test.each([
  ['small', 1],
  ['large', 10_000],
])('a %s text of another type cannot be read', async (_, remarks) => {
  const read = versions.show({ type: 'role', key: 'ep1-test', text: personText(remarks) });
  await expect(read).rejects.toThrow('has a text of another type');
  await expect(read).rejects.not.toBeInstanceOf(ServiceError);
});
