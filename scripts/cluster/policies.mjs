// `node policies.mjs STATE API-URL`: stand-in for the part of a network plug-in that enforces network
// policies. It polls the API server and writes the policies of all pods as nftables rules. As in Kubernetes, connections
// from the node itself (probes) are always allowed, and answers belong to their connection. IPv4 only.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import https from 'node:https';

/** nftables rules that replace the previous ones. Parameters: items of the API's lists. */
function rulesFor({ pods, namespaces, policies }) {
  const labelsOf = new Map(namespaces.map(({ metadata }) => [metadata.name, metadata.labels ?? {}]));
  const running = pods.filter(
    ({ spec, status }) => status.podIP && !spec.hostNetwork && !['Succeeded', 'Failed'].includes(status.phase),
  );

  /** Pods that a peer of a rule in this namespace selects. */
  const selected = (peer, namespace) =>
    running.filter(
      ({ metadata }) =>
        (peer.namespaceSelector
          ? selects(peer.namespaceSelector, labelsOf.get(metadata.namespace) ?? {})
          : metadata.namespace === namespace) && selects(peer.podSelector ?? {}, metadata.labels ?? {}),
    );

  /**
   * Rules that accept the traffic that a policy allows. `side` is saddr or daddr: the side of the peers. `pod` has the
   * policy.
   */
  const allowed = (peers, ports, side, namespace, pod) => {
    const blocks = (peers ?? []).filter((peer) => peer.ipBlock);
    const others = (peers ?? []).filter((peer) => !peer.ipBlock).flatMap((peer) => selected(peer, namespace));
    const places = peers?.length
      ? [
          ...blocks.map(({ ipBlock: { cidr, except = [] } }) => ({
            match: [cidr, ...except.map((part) => `!= ${part}`)].map((one) => `ip ${side} ${one}`).join(' '),
          })),
          ...others.map((peer) => ({ match: `ip ${side} ${peer.status.podIP}`, peer })),
        ]
      : [{ match: '' }];
    return places.flatMap(({ match, peer }) => {
      if (!ports?.length) return [`${match} return`];
      return ports.flatMap(({ protocol = 'TCP', port, endPort }) => {
        const target = side === 'saddr' ? pod : peer;
        const number = typeof port === 'string' ? portNamed(target, port, protocol) : port;
        if (port !== undefined && number === undefined) return [];
        const kind = protocol.toLowerCase();
        const range = endPort ? `${number}-${endPort}` : number;
        return [`${match} ${port === undefined ? `meta l4proto ${kind}` : `${kind} dport ${range}`} return`];
      });
    });
  };

  const chains = [];
  const jumps = { ingress: [], egress: [] };
  running.forEach((pod, n) => {
    const { namespace, labels = {} } = pod.metadata;
    const own = policies.filter(
      ({ metadata, spec }) => metadata.namespace === namespace && selects(spec.podSelector, labels),
    );
    const directions = [
      ['ingress', 'Ingress', 'from', 'saddr', 'daddr'],
      ['egress', 'Egress', 'to', 'daddr', 'saddr'],
    ];
    for (const [direction, type, peers, side, self] of directions) {
      const isolating = own.filter(({ spec }) => spec.policyTypes.includes(type));
      if (isolating.length === 0) continue;
      const rules = isolating
        .flatMap(({ spec }) => spec[direction] ?? [])
        .flatMap((rule) => allowed(rule[peers], rule.ports, side, namespace, pod));
      chains.push(`chain ${direction}-${n} {`, ...new Set(rules), 'drop', '}');
      jumps[direction].push(`ip ${self} ${pod.status.podIP} jump ${direction}-${n}`);
    }
  });
  return [
    'table ip policies',
    'delete table ip policies',
    'table ip policies {',
    ...chains,
    // After kube-proxy replaced the address of a Service by that of a pod.
    'chain forward {',
    'type filter hook forward priority filter; policy accept;',
    'ct state established,related accept',
    ...jumps.egress,
    ...jumps.ingress,
    '}',
    'chain input {',
    'type filter hook input priority filter; policy accept;',
    'ct state established,related accept',
    ...jumps.egress,
    '}',
    '}',
    '',
  ].join('\n');
}

/** Whether a label selector of Kubernetes selects these labels. */
function selects({ matchLabels = {}, matchExpressions = [] }, labels) {
  const has = (key) => Object.hasOwn(labels, key);
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      if (operator === 'Exists') return has(key);
      if (operator === 'DoesNotExist') return !has(key);
      return (operator === 'In') === (has(key) && values.includes(labels[key]));
    })
  );
}

/** Number of a named port of a pod. */
function portNamed(pod, name, protocol) {
  const ports = (pod?.spec.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports.find((port) => port.name === name && (port.protocol ?? 'TCP') === protocol)?.containerPort;
}

const [folder, url] = process.argv.slice(2);
const file = (name) => readFileSync(`${folder}/${name}`);
const identity = { ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key') };
const agent = new https.Agent({ keepAlive: true, ...identity });

/** Items of a list of the API. */
function list(path) {
  return new Promise((resolve, reject) => {
    const request = https.get(`${url}${path}?resourceVersion=0`, { agent }, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      if (response.statusCode === 200) resolve(JSON.parse(text).items);
      else reject(new Error(`${path}: ${response.statusCode} ${text}`));
    });
    request.once('error', reject);
  });
}

let applied;
for (;;) {
  const [pods, namespaces, policies] = await Promise.all([
    list('/api/v1/pods'),
    list('/api/v1/namespaces'),
    list('/apis/networking.k8s.io/v1/networkpolicies'),
  ]);
  const rules = rulesFor({ pods, namespaces, policies });
  if (rules !== applied) {
    const { status, stderr } = spawnSync('nft', ['--file', '-'], { input: rules, encoding: 'utf8' });
    if (status !== 0) throw new Error(`nft: ${stderr}\n${rules}`);
    applied = rules;
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
}
