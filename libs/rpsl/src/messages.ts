import { error, info, type Place, warning } from './message.js';
import { abuseContactMessages, addressSpaceMessages } from './messages/address-space.js';
import { authorisationMessages } from './messages/authorisation.js';
import { existenceMessages } from './messages/existence.js';
import { parsingMessages } from './messages/parsing.js';
import { requestMessages } from './messages/requests.js';
import { syntaxMessages } from './messages/syntax.js';

/** One function per message template. Clients of the RIPE Database know the texts (decision F6). */
export const messages = {
  ...parsingMessages,
  ...syntaxMessages,
  ...existenceMessages,
  ...authorisationMessages,
  ...addressSpaceMessages,
  ...abuseContactMessages,
  ...requestMessages,

  // Errors in the structure of objects of any type.
  mandatoryMissing: (name: string) => error('Mandatory attribute "%s" is missing', [name]),
  appearsMoreThanOnce: (name: string) => error('Attribute "%s" appears more than once', [name]),
  notValidForType: (place: Place) => error('"%s" is not valid for this object type', [place.attribute.name], place),
  unknownAttribute: (place: Place) => error('"%s" is not a known RPSL attribute', [place.attribute.name], place),
  /** The template contains the attribute's name: clients know one text per attribute. */
  deprecatedRemoved: (name: 'changed' | 'mnt-lower' | 'mnt-routes') =>
    warning(`Deprecated attribute "${name}". This attribute has been removed.`),
  cannotContainBoth: (type: string, one: string, other: string) =>
    error('A %s object cannot contain both %s and %s attributes', [type, one, other]),
  mustContainEither: (type: string, one: string, other: string) =>
    error('A %s object must contain either %s or %s attribute', [type, one, other]),
  objectTooLarge: (size: number, maximum: number) =>
    error('Ignored object with size %d, exceeds maximum object size %d.', [size, maximum]),
  tooManyValues: (count: number, maximum: number) =>
    error('Too many values and lines: %d, of which one request may hold %d', [count, maximum]),
  tooManyReferences: () => error('Too many references'),
  tooManyAccounts: (count: number, maximum: number) =>
    error('Too many accounts: %d, of which one request may name %d', [count, maximum]),
  filteredInput: () => error('Cannot submit filtered whois output for updates'),
  sourceComment: () => error('End of line comments not allowed on "source:" attribute'),

  // Values that the server changed or generated.
  valueConverted: (from: string, to: string, place: Place) => info('Value %s converted to %s', [from, to], place),
  continuationRemoved: (place: Place) =>
    info('Continuation lines are not allowed here and have been removed', [], place),
  keyComment: (place: Place) =>
    info('Please use the "remarks:" attribute instead of end of line comment on primary key', [], place),
  latin1Converted: (name: string, value: string, place: Place) =>
    warning('Attribute "%s:" has been converted to "%s"', [name, value], place),
  punycode: (place: Place) =>
    warning('Value changed due to conversion of IDN email address(es) into Punycode', [], place),
  generatedReplaced: (name: string) =>
    warning("Supplied attribute '%s' has been replaced with a generated value", [name]),
  noKey: () => error('The supplied object has no key'),
  multipleKeys: () => error('The supplied object has multiple keys'),
  invalidCertificate: (place: Place) => error('Invalid X509 Certificate', [], place),

  // AUTO keys: placeholders that the server replaces by new keys.
  autoReferenceNotFound: (value: string, place: Place) => error('Reference "%s" not found', [value], place),
  autoReferenceInvalid: (type: string, key: string, place: Place) =>
    error('Invalid reference to [%s] %s', [type, key], place),
  autoKeyRepeated: (key: string, place: Place) =>
    error('Key %s already used (AUTO-nnn must be unique per update message)', [key], place),
  autoKeyRequired: (value: string, place: Place) =>
    error('Syntax error in %s (%s)', [value, 'must be AUTO-nnn for create'], place),
  handleTaken: (handle: string, place: Place) => error('The nic-hdl "%s" is not available', [handle], place),
  autoNotForPgp: (place: Place) => error('AUTO-nnn can only be used with X509 key-cert', [], place),

  // Keys and certificates (rules G-KEYCERT-*).
  keyCertMissing: (name: string) => warning('The key-cert object %s does not exist', [name]),
  keyCertUnreadable: (name: string) =>
    warning('The public key data held in the key-cert object %s has syntax errors', [name]),
  pgpKeyExpired: (key: string) => error('Public key in keycert %s has expired', [key]),
  pgpKeyRevoked: (key: string) => error('Public key in keycert %s is revoked', [key]),
  keyTooShort: (algorithm: string, bits: number, minimum: number) =>
    error('%s public key is %d bits which is less than the minimum %d', [algorithm, bits, minimum]),
  certificateExpired: (key: string) => error('Certificate in keycert %s has expired', [key]),
  certificateNotYetValid: (key: string) => error('Certificate in keycert %s is not yet valid', [key]),
  weakHash: (key: string, algorithm: string) =>
    error('Certificate in keycert %s uses a weak hash algorithm %s', [key, algorithm]),

  // Results of the name server check (rule G-DNS-CHECK). The first two texts are those of the RIPE Database.
  dnsCheckTimedOut: () => error('Timeout performing DNS check'),
  dnsCheckFailed: () => error('Error from DNS check'),
  nameServerUnknown: (host: string, place: Place) => error('Name server %s has no usable address', [host], place),
  nameServerSilent: (host: string, address: string, place: Place) =>
    error('Name server %s (%s) does not answer', [host, address], place),
  nameServerLame: (host: string, address: string, zone: string, place: Place) =>
    error('Name server %s (%s) does not answer with authority for %s', [host, address, zone], place),
  signerUnknown: (signer: string, zone: string, place: Place) =>
    error('No key in %s matches ds-rdata %s', [zone, signer], place),
};
