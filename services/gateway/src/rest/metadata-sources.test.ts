import { expect, test } from 'vitest';
import { publicOrigin } from './metadata-sources.js';

test.each([
  'https://nrtm.example.net/nrtmv4/OTHER/update-notification-file.jose',
  'http://ftp.example.net:8080/dump.gz',
  'ftp://ftp.example.net/dump.gz',
  'whois.example.net:43',
])('%s is public', (origin) => {
  expect(publicOrigin(origin)).toBe(origin);
});

test.each([
  '',
  'file:///var/lib/dumps/third.db.gz',
  '/var/lib/dumps/third.db.gz',
  'gopher://ftp.example.net/dump.gz',
  'ftp://user:secret@ftp.example.net/dump.gz',
  'https://user:secret@nrtm.example.net/',
  'https://secret@nrtm.example.net/',
  'https://nrtm.example.net/file?token=secret',
  'https://nrtm.example.net/file#secret',
  'https://mirror/nrtmv4/',
  'https://mirror.registry.svc.cluster.local/',
  'https://mirror.internal./',
  'https://nas.home.arpa/',
  'https://localhost:8443/',
  'https://10.1.2.3/',
  'https://167838211/',
  'https://127.0.0.1:8443/',
  'https://[::1]/',
  'https://[fd00::1]/',
  'https://[::ffff:10.1.2.3]/',
  'whois:43',
  '192.168.1.1:43',
  '[fd00::1]:43',
  'user@whois.example.net:43',
])('%j is not public', (origin) => {
  expect(publicOrigin(origin)).toBe('');
});
