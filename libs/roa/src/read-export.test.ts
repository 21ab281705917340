import { expect, test } from 'vitest';
import { entry } from '../tests/testing.js';
import { readExport } from './read-export.js';

const anchors = new Set(['ripe', 'arin']);

test('the export of Routinator', async () => {
  const text = JSON.stringify({
    metadata: { generated: 1_795_000_000, generatedTime: '2026-11-18T12:26:40Z' },
    roas: [
      { asn: 'AS64500', prefix: '192.0.2.0/24', maxLength: 24, ta: 'ripe' },
      { asn: 'AS64501', prefix: '2001:db8::/32', maxLength: 48, ta: 'arin' },
    ],
    routerKeys: [],
    aspas: [],
  });
  expect(await readExport(text, anchors)).toMatchObject({ index: { size: 2 }, skipped: 0, foreign: 0 });
});

test('the export of rpki-client', async () => {
  const text = JSON.stringify({
    metadata: { buildmachine: 'validator.example.net', vrps: 1 },
    roas: [{ asn: 64500, prefix: '192.0.2.0/24', maxLength: 24, ta: 'ripe', expires: 1_795_000_000 }],
    bgpsec_keys: [],
  });
  expect(await readExport(text, anchors)).toMatchObject({ index: { size: 1 }, skipped: 0, foreign: 0 });
});

test('bad entries are skipped and counted', async () => {
  const good = entry('AS64500 192.0.2.0/24');
  const roas = [good, null, 'AS64500', [], {}, { ...good, prefix: 'x' }, { ...good, asn: 'x' }];
  expect(await readExport(JSON.stringify({ roas }), anchors)).toMatchObject({ index: { size: 1 }, skipped: 6 });
});

test('payloads of other trust anchors do not count, unless all do', async () => {
  const [ripe, other] = [entry('AS64500 192.0.2.0/24', 'RIPE'), entry('AS64500 192.0.2.0/24', 'example')];
  const text = JSON.stringify({ roas: [ripe, other, { ...other, ta: undefined }] });
  expect(await readExport(text, anchors)).toMatchObject({ index: { size: 1 }, foreign: 2 });
  expect(await readExport(text, new Set())).toMatchObject({ index: { size: 3 }, foreign: 0 });
});

test.each(['', 'roas', '[]', 'null', '{}', '{"roas":{}}', '{"roas":[{"asn":1}'])(
  '%j is not an export',
  async (text) => {
    await expect(readExport(text, anchors)).rejects.toThrow(SyntaxError);
  },
);
