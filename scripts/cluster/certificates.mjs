// `node certificates.mjs`: stand-in for cert-manager. It creates the missing Secrets of Certificates, for issuers of
// the kinds selfSigned and ca, and sets the Certificates ready. It renews nothing. Needs kubectl, openssl.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const kubectl = (args, input) => execFileSync('kubectl', args, { input, encoding: 'utf8' });
const list = (kinds) => JSON.parse(kubectl(['get', kinds, '--all-namespaces', '--output', 'json'])).items;

/** The Secret of a certificate; undefined while its authority has none. */
function secretFor({ metadata, spec }, issuers, secrets) {
  const kind = spec.issuerRef.kind ?? 'Issuer';
  const { namespace } = metadata;
  const issuer = issuers.find(
    (one) =>
      one.kind === kind &&
      one.metadata.name === spec.issuerRef.name &&
      (kind === 'ClusterIssuer' || one.metadata.namespace === namespace),
  );
  if (!issuer) return undefined;
  const authority = issuer.spec.ca && secretNamed(secrets, issuer.metadata.namespace, issuer.spec.ca.secretName);
  if (issuer.spec.ca && !authority) return undefined;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: spec.secretName, namespace },
    type: 'kubernetes.io/tls',
    data: sign(spec, authority?.data),
  };
}

function secretNamed(secrets, namespace, name) {
  return secrets.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
}

/** Makes a key and a certificate, signed by the authority or by itself. Returns the data of the Secret. */
function sign({ isCA, dnsNames = [], commonName = dnsNames[0] }, authority) {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const file = (name) => join(folder, name);
  const encoded = (name) => readFileSync(file(name)).toString('base64');
  try {
    const extensions = [`basicConstraints=critical,CA:${isCA ? 'TRUE' : 'FALSE'}`];
    if (dnsNames.length > 0) extensions.push(`subjectAltName=${dnsNames.map((name) => `DNS:${name}`).join(',')}`);
    // Without the extensions that the default configuration would add.
    writeFileSync(file('empty'), '[req]\ndistinguished_name = name\n[name]\n');
    const signer = ['-config', file('empty')];
    if (authority) {
      for (const name of ['tls.crt', 'tls.key'])
        writeFileSync(file(`authority-${name}`), Buffer.from(authority[name], 'base64'));
      signer.push('-CA', file('authority-tls.crt'), '-CAkey', file('authority-tls.key'));
    }
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('tls.key')];
    const subject = ['-subj', `/CN=${commonName.slice(0, 64)}`, '-days', '30', '-out', file('tls.crt')];
    const added = extensions.flatMap((extension) => ['-addext', extension]);
    execFileSync('openssl', ['req', '-x509', ...key, ...subject, ...added, ...signer], { stdio: 'ignore' });
    return {
      'tls.crt': encoded('tls.crt'),
      'tls.key': encoded('tls.key'),
      'ca.crt': authority?.['tls.crt'] ?? encoded('tls.crt'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Issues the missing certificates. */
function issue() {
  const missing = list('certificates.cert-manager.io').filter(({ status }) => !status?.conditions);
  if (missing.length === 0) return;
  const issuers = list('issuers.cert-manager.io,clusterissuers.cert-manager.io');
  for (const certificate of missing) {
    const { name, namespace, generation } = certificate.metadata;
    const secrets = list('secrets');
    const secret =
      secretNamed(secrets, namespace, certificate.spec.secretName) ?? secretFor(certificate, issuers, secrets);
    if (!secret) continue;
    kubectl(
      ['apply', '--server-side', '--force-conflicts', '--filename', '-'],
      JSON.stringify({ ...secret, metadata: { name: secret.metadata.name, namespace } }),
    );
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'Ready',
      lastTransitionTime: new Date().toISOString(),
      observedGeneration: generation,
    };
    const patch = JSON.stringify({ status: { conditions: [ready] } });
    kubectl([
      'patch',
      'certificate',
      name,
      '--namespace',
      namespace,
      '--subresource',
      'status',
      '--type',
      'merge',
      '--patch',
      patch,
    ]);
    console.log(`issued ${namespace}/${name}`);
  }
}

for (;;) {
  issue();
  await new Promise((resolve) => setTimeout(resolve, 3000));
}
