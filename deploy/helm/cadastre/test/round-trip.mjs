// `helm test`: uses a registry as its clients do. Always reads; with TEST_WRITE=true it also creates an object, looks
// it up, finds it, changes and deletes it. It writes as its own maintainer, HELM-TEST-MNT, whose key-cert has the
// client certificate; the operator's command line program loads both, and the test does not delete them.
// Environment: TEST_SOURCE, TEST_URL (HTTPS), TEST_CERTIFICATE_URL (HTTPS with client certificate), TEST_CA_FILE
// (optional: the CA of the registry; else its certificate is not verified), TEST_WRITE, TEST_CERT_FILE and
// TEST_KEY_FILE (client certificate), TEST_CADASTRE (the program as JSON list; needs its own CADASTRE_* variables).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const env = process.env;
const source = env.TEST_SOURCE;
const authority = env.TEST_CA_FILE ? { ca: readFileSync(env.TEST_CA_FILE) } : { rejectUnauthorized: false };
const timeoutMs = 60_000;
/** Statuses for which a retry is useless. */
const final = [400, 401, 403, 409, 415, 426];
/** Exit code of the command line program when the service rejected objects, for which a retry is useless too. */
const rejected = 1;

/** Requests JSON; returns status and body. Sends a body as JSON, with the client certificate. */
function ask(method, path, body) {
  const writes = method !== 'GET';
  const identity = writes ? { cert: readFileSync(env.TEST_CERT_FILE), key: readFileSync(env.TEST_KEY_FILE) } : {};
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
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

/**
 * Retries until the response has the status, and the value among its texts: a new registry, a search index, and a
 * gateway that did not make the change itself need a moment.
 */
async function until(status, method, path, { body, value } = {}) {
  const wanted = value === undefined ? status : `${status} with "${value}"`;
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask(method, path, body).catch((error) => ({ status: error.message, text: '' }));
    if (answer.status === status && (value === undefined || answer.text.includes(`"${value}"`))) {
      console.log(`ok  ${method} ${path}: ${wanted}`);
      return answer;
    }
    if (final.includes(answer.status) || Date.now() > end)
      throw new Error(`${method} ${path}: returned ${answer.status}, not ${wanted}\n${answer.text}`);
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
  if (env.TEST_WRITE === 'true') await writes();
  console.log('The registry works.');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
