import * as client from '@kubernetes/client-node';
import type { Manifest } from './manifest.js';

/** The packages with schemas of custom resources. */
const resourcePackages: Record<string, string> = {
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
};

interface AttributeMap {
  getAttributeTypeMap(): { baseName: string; type: string }[];
}

const types = client as unknown as Record<string, AttributeMap | undefined>;

/**
 * The errors that Kubernetes would report for a manifest: an API that does not exist or was removed, a missing or
 * mistyped field, and, for its own kinds, an unknown field. Empty for a valid one.
 */
export async function problemsOf(manifest: Manifest): Promise<string[]> {
  const subject = `${manifest.kind} ${manifest.metadata.name}`;
  const found = await violations(manifest);
  const group = manifest.apiVersion.split('/')[0]!;
  if (!(group in resourcePackages)) found.push(...unknownFields(manifest, classOf(manifest), ''));
  return found.map((problem) => `${subject}${problem}`);
}

/** kubernetes-models knows types, required fields and allowed values. */
async function violations({ ...manifest }: Manifest): Promise<string[]> {
  const [group] = manifest.apiVersion.split('/');
  const home = resourcePackages[group!] ?? 'kubernetes-models';
  const path = `${home}/${manifest.apiVersion}/${manifest.kind}`;
  const model = await import(path).catch(() => undefined);
  if (!model) return [`: no ${manifest.kind} in ${manifest.apiVersion}`];
  try {
    new model[manifest.kind](manifest).validate();
    return [];
  } catch (error) {
    const { errors = [error] } = error as { errors?: { instancePath?: string; message: string }[] };
    return (errors as { instancePath?: string; message: string }[]).map((e) => `${e.instancePath ?? ''}: ${e.message}`);
  }
}

/** The official client names its classes V1Deployment, V2HorizontalPodAutoscaler. */
function classOf({ apiVersion, kind }: Manifest): string {
  const version = apiVersion.split('/').pop()!;
  return `${version[0]!.toUpperCase()}${version.slice(1)}${kind}`;
}

function unknownFields(value: unknown, type: string, path: string): string[] {
  if (value === null || value === undefined) return [];
  const element = /^Array<(.+)>$/.exec(type)?.[1];
  if (element) return (value as unknown[]).flatMap((one, index) => unknownFields(one, element, `${path}[${index}]`));
  const entry = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
  const fields = Object.entries(value);
  if (entry) return fields.flatMap(([key, one]) => unknownFields(one, entry, `${path}.${key}`));
  const known = types[type]?.getAttributeTypeMap?.();
  if (!known) return path === '' ? [`: no ${type}: was the API removed?`] : [];
  const typeOf = new Map(known.map((attribute) => [attribute.baseName, attribute.type]));
  return fields.flatMap(([key, one]) => {
    const inner = typeOf.get(key);
    return inner === undefined ? [`${path}.${key}: unknown field`] : unknownFields(one, inner, `${path}.${key}`);
  });
}
