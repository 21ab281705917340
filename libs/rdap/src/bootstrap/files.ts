/** The bootstrap files of RFC 9224 and RFC 8521, without their extension ".json". */
export const bootstrapNames = ['ipv4', 'ipv6', 'asn', 'dns', 'object-tags'] as const;
export type BootstrapName = (typeof bootstrapNames)[number];

/** An element of the `services` of a file: entries, and the base URLs of the services that answer for them. */
export interface BootstrapService {
  /** Prefixes, AS numbers or ranges of them, domain names, or tags of handles. */
  readonly entries: readonly string[];
  readonly urls: readonly string[];
}

/**
 * A bootstrap file as JSON text. The `services` of "object-tags" begin with a list of e-mail addresses, which may be
 * empty.
 */
export function printBootstrapFile(
  name: BootstrapName,
  { publication, services }: { readonly publication: Date; readonly services: readonly BootstrapService[] },
): string {
  const contacts = name === 'object-tags' ? [[]] : [];
  const document = {
    version: '1.0',
    publication: `${publication.toISOString().slice(0, 19)}Z`,
    description: `RDAP bootstrap file (${name})`,
    services: services.map(({ entries, urls }) => [...contacts, entries, urls]),
  };
  return `${JSON.stringify(document, undefined, 1)}\n`;
}

/** Reads a bootstrap file. Throws an Error with the name of the file and the fault. */
export function readBootstrapFile(name: BootstrapName, text: string): BootstrapService[] {
  try {
    return servicesOf(name, text);
  } catch (error) {
    throw new Error(`${name}.json: ${(error as Error).message}`);
  }
}

function servicesOf(name: BootstrapName, text: string): BootstrapService[] {
  const { version, services } = Object(JSON.parse(text)) as { version?: unknown; services?: unknown };
  if (version !== '1.0') throw new Error('"version" is not "1.0"');
  if (!Array.isArray(services)) throw new Error('"services" is not a list');
  const length = name === 'object-tags' ? 3 : 2;
  return services.map((service: unknown, at) => {
    if (!Array.isArray(service) || service.length !== length || !service.every(isTexts)) {
      throw new Error(`element ${at} of "services" is not ${length} lists of texts`);
    }
    return { entries: service.at(-2)!, urls: service.at(-1)! };
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
