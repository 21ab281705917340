// Prints docs/reference/settings.md from the tables of settings in the code; with the argument `names`,
// the names of all settings as JSON, for scripts/compile.mjs. Needs compiled code.
import { fileURLToPath } from 'node:url';
import { runSettings } from '../libs/system/dist/run-settings.js';
import { authSettings } from '../services/auth/dist/settings.js';
import { eventsSettings } from '../services/events/dist/settings.js';
import { gatewaySettings } from '../services/gateway/dist/settings.js';
import { mirrorSettings } from '../services/mirror/dist/settings.js';
import { objectsSettings } from '../services/objects/dist/settings.js';
import { searchSettings } from '../services/search/dist/settings.js';
import { whoisSettings } from '../services/whois/dist/settings.js';

const tables = {
  objects: objectsSettings,
  auth: authSettings,
  search: searchSettings,
  events: eventsSettings,
  whois: whoisSettings,
  mirror: mirrorSettings,
  gateway: gatewaySettings,
  'make run': runSettings,
};

const services = Object.keys(tables).filter((name) => name !== 'make run');

/** Titles, and prefixes of the names of their settings. Every setting is in the first group that matches. */
const groups = [
  ['The registry', /^(ENVIRONMENT|SOURCE|GRS_SOURCES|SOURCE_ALIASES|OPERATOR_MAINTAINERS|POLICY_|DNS_|SUSPECT_)/],
  ['What every service has', /^(LOG_LEVEL|OPERATIONS|LISTEN|TLS_|DATA_DIR)/],
  ['Where the services are', /^(OBJECTS|AUTH|SEARCH|MIRROR)_ADDRESS/],
  ['Who may call by gRPC', /^(RPC_|OPERATORS)/],
  ['Notifications', /^(MAIL_|OBJECTS_NOTIFICATIONS)/],
  ['Webhooks', /^(WEBHOOK|OBJECTS_WEBHOOK|EGRESS_PROXY)/],
  ['Mirroring', /^(MIRROR_|PUBLICATIONS_|PUBLIC_TEXTS)/],
  ['Databases and the search index', /^(STORE_CA|DATABASE|OBJECTS|AUTH|SEARCH)_/],
  ['ROAs', /^ROA_/],
  ['Accounts, sign-in, sessions', /^(OIDC|DIRECTORY|SESSION)_/],
  ['Public ports', /^(BIND|CONNECTIONS|UNLIMITED|PROXY_PROTOCOL|TRUSTED)/],
  ['Gateway: ports, certificate', /^(HTTP|CERT_PORT|GATEWAY_CLIENT_CERT)/],
  ['Public description', /^(BASE_URL|TERMS_URL|WEB_DIR)/],
  ['Gateway: RDAP', /^(RDAP_|WHOIS_HOST)/],
  ['Gateway: load and time', /^GATEWAY_/],
  ['Whois', /^WHOIS_/],
  ['Quotas of storage', /^STORAGE_/],
  ['Query limits', /^(LIMITS|REDIS)/],
  ['Trials on one machine', /^(NODE_FLAGS|RUN_PROCESSES)/],
];

const checkout = fileURLToPath(new URL('..', import.meta.url));

/** Settings by name: the services that read them, and their descriptions. */
function collect() {
  const byName = new Map();
  for (const [service, table] of Object.entries(tables)) {
    for (const setting of Object.values(table)) {
      const { name } = setting;
      if (!byName.has(name)) byName.set(name, []);
      byName.get(name).push({ service, setting });
    }
  }
  return byName;
}

/** Formats that --help shows by examples. */
const forms = {
  '500ms|10s|5m|2h': 'time',
  'a,b,...': 'list',
  'name=value,...': 'list of NAME=VALUE',
  'name=10s ...': 'NAME=TIME ...',
  'name=number ...': 'NAME=NUMBER ...',
};

function describeValue({ form: shortForm, defaultText, required, secret }) {
  const form = forms[shortForm] ?? shortForm;
  if (secret) return `path of a file${required ? ', required' : ''}`;
  if (required) return `${form}, required`;
  return defaultText ? `${form}, default \`${defaultText.replace(checkout, '')}\`` : form;
}

/** A list item with the setting's name, and a line for each description among the services. */
function entry(name, readers) {
  const meanings = Map.groupBy(readers, ({ setting }) => `${setting.doc}\n${describeValue(setting)}`);
  const shown = readers[0].setting.secret ? `${name}_FILE` : name;
  return [...meanings.values()].flatMap((same) => [
    ...wrapped(`\`${shown}\` (${readersOf(same)}): ${describeValue(same[0].setting)}`).map((line, index) =>
      index === 0 ? line.replace(' ', '-') : line,
    ),
    ...wrapped(same[0].setting.doc),
  ]);
}

function readersOf(readers) {
  const names = readers.map(({ service }) => service);
  const isShared = services.every((service) => names.includes(service));
  return (isShared ? ['every service', ...names.filter((name) => !services.includes(name))] : names).join(', ');
}

function wrapped(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    if (`${lines.at(-1)} ${word}`.length > 117) lines.push('');
    lines.push(`${lines.pop()} ${word}`);
  }
  return lines.map((line) => ` ${line}`);
}

const byName = collect();
const grouped = Map.groupBy([...byName.keys()], (name) => {
  const group = groups.find(([, pattern]) => pattern.test(name.replace('CADASTRE_', '')));
  if (group === undefined) throw new Error(`${name} belongs to no group of scripts/settings-page.mjs`);
  return group[0];
});

function printNames() {
  const names = [...byName].flatMap(([name, [{ setting }]]) => (setting.secret ? [name, `${name}_FILE`] : [name]));
  console.log(JSON.stringify(names.sort(), null, 2));
}

const sections = groups.flatMap(([title]) => [
  '',
  `## ${title}`,
  '',
  ...(grouped.get(title) ?? []).flatMap((name) => entry(name, byName.get(name))),
]);

function printPage() {
  console.log(`# Settings

<!-- \`make generate\` writes this page from the code. -->

All ${byName.size} settings, each with the programs that read it, the form of its value, and its default. Settings are
environment variables; an empty one counts as absent. A service with wrong values lists all of them and exits. At its
start it warns about \`CADASTRE_\` variables that are not on this page, for example mistyped ones.
\`node services/NAME/dist/main.js --help\` prints the settings of one service.

A secret is in a file: \`NAME_FILE\` is the path of the file. Outside of production, \`NAME\` may be the secret itself.
Times are numbers with a unit: \`500ms\`, \`10s\`, \`5m\`, \`2h\`. Commas separate the elements of lists.

[Bounds](bounds.md) that no operator needs to choose are constants in the code. \`bin/cadastre --help\` lists the
variables of the command line program.
${sections.join('\n')}`);
}

if (process.argv[2] === 'names') printNames();
else printPage();
