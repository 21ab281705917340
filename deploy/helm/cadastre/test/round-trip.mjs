// `helm test`: uses a registry as its clients do. Always reads, by each interface that is there; with TEST_WRITE=true it
// also creates an object, looks it up, finds it, changes and deletes it. It writes as its own maintainer, HELM-TEST-MNT,
// whose key-cert has the client certificate; the operator's command line program loads both, and the test does not
// delete them.
// Environment: TEST_SOURCE, TEST_URL (HTTPS), TEST_CERTIFICATE_URL (HTTPS with client certificate), TEST_CA_FILE
// (optional: the CA of the registry; else its certificate is not verified), TEST_WRITE, TEST_CERT_FILE and
// TEST_KEY_FILE (client certificate), TEST_CADASTRE (the program as JSON list; needs its own CADASTRE_* variables),
// TEST_WHOIS (host and port of port 43), TEST_PUBLISH and TEST_DUMPS (sources published by NRTMv4 and as dumps),
// TEST_SECONDS (how long it retries each step; default 60); the last four are optional.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';

const env = process.env;
const source = env.TEST_SOURCE;
const authority = env.TEST_CA_FILE ? { ca: readFileSync(env.TEST_CA_FILE) } : { rejectUnauthorized: false };
const timeoutMs = Number(env.TEST_SECONDS ?? 60) * 1000;
/** For the files of a source that the mirror service publishes for the first time. */
const publishingMs = 3 * timeoutMs;
/** Statuses for which a retry is useless. */
const final = [400, 401, 403, 409, 415, 426];
/** Exit code of the command line program when the service rejected objects, for which a retry is useless too. */
const rejected = 1;

/** Requests JSON, or what is accepted; returns status and body. Sends a body as JSON, with the client certificate. */
function ask(method, path, body, accept = 'application/json') {
  const writes = method !== 'GET';
  const identity = writes ? { cert: readFileSync(env.TEST_CERT_FILE), key: readFileSync(env.TEST_KEY_FILE) } : {};
  const headers = { accept, ...(body && { 'content-type': 'application/json' }) };
  const options = { method, headers, timeout: 20_000, agent: false, ...authority, ...identity };
  return new Promise((resolve, reject) => {
    const sent = request(`${writes ? env.TEST_CERTIFICATE_URL : env.TEST_URL}${path}`, options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    sent.on('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer`)));
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** Sends lines to port 43; returns everything until the service closes the connection. */
function query(lines) {
  const [, host, port] = /^(.+):(\d+)$/.exec(env.TEST_WHOIS);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const chunks = [];
    socket.setTimeout(20_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.write(lines);
  });
}

/**
 * Retries until the response has the status, and the value among its texts: a new registry, a search index, and a
 * gateway that did not make the change itself need a moment. `hint`: what a failure means.
 */
async function until(status, method, path, { body, value, accept, waitMs = timeoutMs, hint = '' } = {}) {
  const wanted = value === undefined ? status : `${status} with "${value}"`;
  const end = Date.now() + waitMs;
  for (;;) {
    const answer = await ask(method, path, body, accept).catch((error) => ({ status: error.message, text: '' }));
    if (answer.status === status && (value === undefined || answer.text.includes(`"${value}"`))) {
      console.log(`ok  ${method} ${path}: ${wanted}`);
      return answer;
    }
    if (final.includes(answer.status) || Date.now() > end)
      throw new Error(`${method} ${path}: returned ${answer.status}, not ${wanted}${hint}\n${answer.text}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Retries until an answer of port 43 has a line that begins so: a new service reads all sets first. */
async function untilAnswered(lines, begin) {
  const name = `port 43 (${env.TEST_WHOIS}), ${JSON.stringify(lines)}`;
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await query(lines).catch((error) => error.message);
    const line = answer.split('\n').find((one) => begin.test(one));
    if (line !== undefined) return console.log(`ok  ${name}: ${line}`);
    if (Date.now() > end) throw new Error(`${name}: no line of the answer matches ${begin}\n${answer || 'no answer'}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function expect(holds, what) {
  if (!holds) throw new Error(`expected: ${what}`);
  console.log(`ok  ${what}`);
}

/** The first value of an attribute of the only object in a response. */
function valueIn(answer, name) {
  const [object] = JSON.parse(answer.text).objects.object;
  return object.attributes.attribute.find((attribute) => attribute.name === name)?.value;
}

async function reads() {
  const sources = await until(200, 'GET', '/metadata/sources.json');
  expect(sources.text.includes(`"${source}"`), `sources name ${source}`);
  await until(200, 'GET', '/metadata/templates/person.json');
  await until(404, 'GET', `/search.json?query-string=nobody-is-called-this&source=${source}`);
  await until(200, 'GET', '/rdap/help', { accept: 'application/rdap+json', value: 'rdapConformance' });
  const page = await until(200, 'GET', '/', { accept: 'text/html' });
  expect(/<html/i.test(page.text), 'the web page is HTML');
}

/** Both dialects of port 43: a search as in the RIPE Database, and the state of the source as in IRRd. */
async function asksWhois() {
  await untilAnswered(`-s ${source} nobody-is-called-this\n`, /^%ERROR:101:/);
  await untilAnswered(`!!\n!j${source}\n!q\n`, new RegExp(`^${source}:[NY]:`));
}

/** What followers fetch, of sources in a list of names. */
async function fetches() {
  const published = (names, pathOf, hint) =>
    (names ?? '')
      .split(',')
      .filter(Boolean)
      .map((name) => ({ path: pathOf(name), hint: `: mirror has not ${hint} ${name}` }));
  const files = [
    ...published(env.TEST_PUBLISH, (name) => `/nrtmv4/${name}/update-notification-file.jose`, 'published'),
    ...published(env.TEST_DUMPS, (name) => `/dumps/${name.toLowerCase()}/SHA256SUMS`, 'written a dump of'),
  ];
  for (const { path, hint } of files) await until(200, 'GET', path, { accept: '*/*', waitMs: publishingMs, hint });
}

/** The maintainer of this test; its key-cert has the attributes that the registry generates from the certificate. */
function maintainer() {
  const certif = readFileSync(env.TEST_CERT_FILE, 'utf8').trim().split(/\r?\n/);
  const end = `mnt-by:         HELM-TEST-MNT\nsource:         ${source}\n`;
  return [
    `person:         Helm Test\naddress:        Example Street 1\nphone:          +31 20 555 0100\ne-mail:         helm-test@example.net\nnic-hdl:        HELM1-TEST\n${end}`,
    `key-cert:       X509-900001\n${certif.map((line) => `certif:         ${line}\n`).join('')}${end}`,
    `mntner:         HELM-TEST-MNT\nadmin-c:        HELM1-TEST\nupd-to:         helm-test@example.net\nauth:           X509-900001\n${end}`,
  ].join('\n');
}

/** Loads until it succeeds or objects are rejected: a new pod is unreachable until the network policies include it. */
async function load() {
  const [program, ...args] = JSON.parse(env.TEST_CADASTRE);
  const input = maintainer();
  const end = Date.now() + timeoutMs;
  for (;;) {
    const run = spawnSync(program, [...args, 'load', '--source', source, '--wait', '-'], { input, encoding: 'utf8' });
    const done = run.status === 0;
    if (done || run.status === rejected || Date.now() > end)
      return expect(done, `the operator loads a maintainer\n${run.stdout ?? ''}${run.stderr ?? ''}`.trimEnd());
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

function person(handle, remark) {
  const values = {
    person: 'Round Trip',
    address: 'Example Street 2',
    phone: '+31 20 555 0101',
    'e-mail': 'person@example.net',
  };
  const references = { 'nic-hdl': handle, remarks: remark, 'mnt-by': 'HELM-TEST-MNT', source };
  const attributes = Object.entries({ ...values, ...references });
  const attribute = attributes.map(([name, value]) => ({ name, value }));
  return { objects: { object: [{ type: 'person', source: { id: source }, attributes: { attribute } }] } };
}

async function writes() {
  await load();
  const made = await until(200, 'POST', `/${source}/person`, { body: person('AUTO-1', 'made') });
  const handle = valueIn(made, 'nic-hdl');
  const path = `/${source}/person/${handle}`;
  expect(valueIn(await until(200, 'GET', `${path}.json`), 'remarks') === 'made', `${handle} can be looked up`);
  const query = `/search.json?query-string=${handle}&source=${source}`;
  expect(valueIn(await until(200, 'GET', query), 'nic-hdl') === handle, `${handle} can be found`);
  await until(200, 'PUT', path, { body: person(handle, 'changed') });
  await until(200, 'GET', `${path}.json`, { value: 'changed' });
  await until(200, 'DELETE', path);
  await until(404, 'GET', `${path}.json`);
  await until(404, 'GET', query);
}

try {
  await reads();
  if (env.TEST_WHOIS) await asksWhois();
  await fetches();
  if (env.TEST_WRITE === 'true') await writes();
  console.log('The registry works.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
