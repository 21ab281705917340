// Writes the pages of docs/reference/ from the code, but for settings.md (settings-page.mjs). With the argument `check`
// it writes nothing, and fails if a page is not what it would write. Needs no compiled code.
import { readFileSync, writeFileSync } from 'node:fs';
import { alertsPage } from './reference/alerts.mjs';
import { boundsPage } from './reference/bounds.mjs';
import { grpcPage } from './reference/grpc.mjs';
import { logEventsPage } from './reference/log-events.mjs';
import { messagesPage } from './reference/messages.mjs';
import { metricsPage } from './reference/metrics.mjs';
import { readSources } from './reference/sources.mjs';
import { urlsPage } from './reference/urls.mjs';

const pages = {
  alerts: alertsPage,
  bounds: boundsPage,
  grpc: grpcPage,
  'log-events': logEventsPage,
  messages: messagesPage,
  metrics: metricsPage,
  urls: urlsPage,
};

const sources = readSources();
for (const [name, page] of Object.entries(pages)) {
  const file = `docs/reference/${name}.md`;
  const text = page(sources);
  if (process.argv[2] !== 'check') writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what the code says`);
    process.exitCode = 1;
  }
}
