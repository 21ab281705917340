import { beforeAll, describe, expect, test } from 'vitest';
import {
  containers,
  environment,
  type Manifest,
  ofKind,
  policiesFor,
  selects,
  services,
  workloads,
} from './manifest.js';
import { cases, render } from './render.js';

describe.each(cases)('with ci/%s-values.yaml', (values) => {
  let manifests: Manifest[];
  let names: (found: { name: string }[]) => string[];

  beforeAll(async () => {
    manifests = await render({ values });
    names = (found) => found.map(({ name }) => name);
  });

  test('the four services run', () => {
    const components = services(manifests).map(({ component }) => component);
    expect(components).toEqual(expect.arrayContaining(['gateway', 'objects', 'auth', 'search']));
  });

  test('every pod meets the restricted profile of Pod Security', () => {
    for (const { pod } of workloads(manifests)) {
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect(pod.securityContext?.runAsUser).toBeGreaterThan(0);
      expect([pod.hostNetwork, pod.hostPID, pod.hostIPC]).toEqual([undefined, undefined, undefined]);
      const kinds = (pod.volumes ?? []).flatMap(({ name: _, ...source }) => Object.keys(source));
      expect(['emptyDir', 'secret', 'configMap', 'persistentVolumeClaim', 'ephemeral']).toEqual(
        expect.arrayContaining(kinds),
      );
    }
  });

  test('every container is unprivileged, on a read-only root file system', () => {
    for (const container of workloads(manifests).flatMap(containers)) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  test('every container has resource requests and a memory limit', () => {
    for (const container of workloads(manifests).flatMap(containers)) {
      const { requests, limits } = container.resources ?? {};
      expect(Object.keys(requests ?? {}), container.name).toEqual(expect.arrayContaining(['cpu', 'memory']));
      expect(Object.keys(limits ?? {}), container.name).toContain('memory');
    }
  });

  test('no pod has a token of the cluster, nor the account of another', () => {
    for (const { pod, name } of workloads(manifests)) {
      expect(pod.automountServiceAccountToken, name).toBe(false);
      const account = ofKind(manifests, 'ServiceAccount').find(
        ({ metadata }) => metadata.name === pod.serviceAccountName,
      );
      expect(account, name).toMatchObject({ automountServiceAccountToken: false });
    }
    expect(manifests.map(({ kind }) => kind).filter((kind) => /Role/.test(kind))).toEqual([]);
  });

  test('no secret is in an environment or an argument', () => {
    const secrets = ofKind(manifests, 'Secret').flatMap(({ stringData: { username: _, ...texts } = {}, data = {} }) => [
      ...Object.values(texts),
      ...Object.values(data).map((text) => Buffer.from(text, 'base64').toString()),
    ]);
    for (const container of workloads(manifests).flatMap(containers)) {
      const shown = JSON.stringify([container.env, container.args, container.command]);
      expect(shown).not.toContain('secretKeyRef');
      expect(container.envFrom).toBeUndefined();
      expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
    }
  });

  test('every service has probes for startup, liveness and readiness', () => {
    for (const { name, pod } of services(manifests)) {
      for (const { startupProbe, livenessProbe, readinessProbe } of pod.containers) {
        expect([startupProbe, livenessProbe, readinessProbe], name).not.toContain(undefined);
      }
    }
    for (const { pod } of services(manifests).filter(({ kind }) => kind === 'Deployment')) {
      const { livenessProbe, readinessProbe } = pod.containers[0]!;
      expect(livenessProbe?.httpGet).toEqual({ path: '/live', port: 'operations' });
      expect(readinessProbe?.httpGet).toEqual({ path: '/ready', port: 'operations' });
    }
  });

  test('every port in a probe, a Service or a policy exists in the pod', () => {
    const portsOf = (pods: ReturnType<typeof workloads>) =>
      pods.flatMap(containers).flatMap(({ ports = [] }) => ports.flatMap((port) => [port.name, port.containerPort]));
    for (const service of ofKind(manifests, 'Service')) {
      const ports = portsOf(
        services(manifests).filter(({ labels }) => selects({ matchLabels: service.spec.selector }, labels)),
      );
      for (const { targetPort } of service.spec.ports) expect(ports, service.metadata.name).toContain(targetPort);
    }
    for (const workload of workloads(manifests)) {
      for (const policy of policiesFor(manifests, workload)) {
        const named = policy.ingress?.flatMap(({ ports = [] }) => ports.map(({ port }) => port)) ?? [];
        expect(portsOf([workload])).toEqual(expect.arrayContaining(named));
      }
    }
  });

  test('a stopping service has time to drain before it is killed', () => {
    for (const { pod, name } of services(manifests).filter(({ kind }) => kind === 'Deployment')) {
      const drain = pod.containers[0]!.lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect(drain, name).toBeGreaterThan(0);
      expect(pod.terminationGracePeriodSeconds, name).toBeGreaterThan(drain + 10);
    }
  });

  test('several pods have a disruption budget, and are spread over nodes and zones', () => {
    const several = services(manifests).filter(({ replicas }) => replicas > 1);
    for (const { labels, name, pod } of several) {
      const budgets = ofKind(manifests, 'PodDisruptionBudget').filter(({ spec }) => selects(spec.selector, labels));
      expect(
        budgets.map(({ spec }) => spec.maxUnavailable),
        name,
      ).toEqual([1]);
      const keys = pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
      expect(keys, name).toEqual(['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
    }
    const budgets = ofKind(manifests, 'PodDisruptionBudget').map(({ metadata }) => metadata.name);
    expect(budgets.sort()).toEqual(names(several).sort());
  });

  test('every pod has exactly one network policy, for both directions, unless they are disabled', () => {
    for (const workload of workloads(manifests)) {
      const policies = policiesFor(manifests, workload).map(({ policyTypes }) => policyTypes);
      expect(policies, workload.name).toEqual(values === 'mesh' ? [] : [['Ingress', 'Egress']]);
    }
  });

  test('selectors select the pods of one workload, independently of the version', () => {
    for (const { spec, metadata } of manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')) {
      expect(names(workloads(manifests).filter(({ labels }) => selects(spec.selector, labels)))).toEqual([
        metadata.name,
      ]);
      expect(Object.keys(spec.selector.matchLabels).some((label) => /version|chart/.test(label))).toBe(false);
    }
  });

  test('every file and directory in a setting is mounted', () => {
    for (const container of workloads(manifests).flatMap(containers)) {
      const mounts = container.volumeMounts?.map(({ mountPath }) => mountPath) ?? [];
      const files = Object.values(environment(container)).filter((value) => value.startsWith('/run/files/'));
      for (const file of files)
        expect(
          mounts.some((mount) => `${file}/`.startsWith(`${mount}/`)),
          file,
        ).toBe(true);
    }
  });

  test('every mounted Secret and ConfigMap is part of the release or named in the values', async () => {
    const made = ofKind(manifests, 'Secret').concat(ofKind(manifests, 'ConfigMap'), ofKind(manifests, 'Certificate'));
    // The operator of a PostgreSQL cluster makes the Secret with its CA.
    const ofClusters = ofKind(manifests, 'Cluster').map(({ metadata }) => `${metadata.name}-ca`);
    const own = new Set([...made.map(({ metadata, spec }) => spec?.secretName ?? metadata.name), ...ofClusters]);
    const volumes = workloads(manifests).flatMap(({ pod }) => pod.volumes ?? []);
    const mounted = volumes.map(({ secret, configMap }) => secret?.secretName ?? configMap?.name);
    const strange = mounted.filter((name) => name?.startsWith('trial-cadastre') && !own.has(name));
    expect(strange).toEqual([]);
  });
});
