import type { V1Container, V1LabelSelector, V1PodSpec, V1PodTemplateSpec } from '@kubernetes/client-node';

/** A rendered Kubernetes object. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Labels; annotations?: Labels };
  // biome-ignore lint/suspicious/noExplicitAny: every kind has its own shape, which schemas.ts checks
  spec?: any;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}

export type Labels = Record<string, string>;

/** The rules of a NetworkPolicy. */
export interface Policy {
  podSelector: V1LabelSelector;
  policyTypes: string[];
  ingress?: { ports?: { port: string | number }[]; from?: Peer[] }[];
  egress?: { ports?: { port: string | number }[]; to?: Peer[] }[];
}

interface Peer {
  podSelector?: V1LabelSelector;
  namespaceSelector?: V1LabelSelector;
  ipBlock?: { cidr: string };
}

/** A resource that runs pods. */
export interface Workload {
  name: string;
  kind: string;
  /** Part of the release, such as "gateway". */
  component: string;
  labels: Labels;
  pod: V1PodSpec;
  /** Minimum number of pods. */
  replicas: number;
}

/** All manifests of a kind. */
export function ofKind(manifests: Manifest[], kind: string): Manifest[] {
  return manifests.filter((manifest) => manifest.kind === kind);
}

/** The one manifest of a kind and name. Throws when there is none. */
export function named(manifests: Manifest[], kind: string, name: string): Manifest {
  const found = ofKind(manifests, kind).find((manifest) => manifest.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name}`);
  return found;
}

/** All resources that run pods, including jobs and tests. */
export function workloads(manifests: Manifest[]): Workload[] {
  return manifests.flatMap((manifest) => {
    const template = templateOf(manifest);
    if (!template) return [];
    const labels = template.metadata?.labels ?? {};
    const { name } = manifest.metadata;
    const scaler = ofKind(manifests, 'HorizontalPodAutoscaler').find(({ spec }) => spec.scaleTargetRef.name === name);
    const replicas = manifest.spec.replicas ?? scaler?.spec.minReplicas ?? 1;
    const component = labels['app.kubernetes.io/component'] ?? '';
    return [{ name, kind: manifest.kind, component, labels, pod: template.spec!, replicas }];
  });
}

/** The services: neither jobs nor tests, nor the pod for operators' commands. */
export function services(manifests: Manifest[]): Workload[] {
  const serving = workloads(manifests).filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  return serving.filter(({ component }) => component !== 'cli');
}

function templateOf(manifest: Manifest): V1PodTemplateSpec | undefined {
  if (manifest.kind === 'Pod') return manifest as V1PodTemplateSpec;
  if (manifest.kind === 'CronJob') return manifest.spec.jobTemplate.spec.template;
  return manifest.spec?.template?.spec?.containers ? manifest.spec.template : undefined;
}

/** All containers of a pod. */
export function containers({ pod }: Workload): V1Container[] {
  return [...(pod.initContainers ?? []), ...pod.containers];
}

/** Settings of a container: NAME to value. */
export function environment(container: V1Container): Record<string, string> {
  return Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value ?? '']));
}

/** Whether a label selector selects these labels. */
export function selects(selector: V1LabelSelector | undefined, labels: Labels): boolean {
  return Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
}

/** The network policies of a workload. */
export function policiesFor(manifests: Manifest[], { labels }: Workload): Policy[] {
  const policies = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec as Policy);
  return policies.filter(({ podSelector }) => selects(podSelector, labels));
}
