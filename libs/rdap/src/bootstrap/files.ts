/** The bootstrap files of RFC 9224 and RFC 8521, without their extension ".json". */
export const bootstrapNames = ['ipv4', 'ipv6', 'asn', 'dns', 'object-tags'] as const;
export type BootstrapName = (typeof bootstrapNames)[number];

/** What some services answer for, and their base URLs: an element of the `services` of a file. */
export interface BootstrapService {
  /** Prefixes, AS numbers or ranges of them, domain names, or tags of handles. */
  readonly entries: readonly string[];
  readonly urls: readonly string[];
}

/** A bootstrap file as JSON text. `services` of "object-tags" have e-mail addresses first, which may be none. */
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

/** Reads a bootstrap file. Throws an Error that names it and says what is wrong with it. */
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
