import { type Message, Severity } from '@cadastre/proto/registry';
import type { RoaConflict } from '@cadastre/proto/search';
import { queryMessages } from '@cadastre/query';
import { messages as registryMessages } from '@cadastre/rpsl';
import { failureMessage, wireMessage } from '@cadastre/service';

/** The messages of the REST interface; clients of the RIPE Database know many of these templates (decision F6). */
export const messages = {
  invalidSource: queryMessages.invalidSource,
  invalidObjectType: (type: string) => wireMessage(registryMessages.invalidType(type)),
  noEntries: (source: string) => queryMessages.noEntries([source]),
  invalidKey: queryMessages.invalidKey,
  invalidCursor: queryMessages.invalidCursor,
  hasPage: () => failureMessage('The object has a page'),
  isInBucket: () => failureMessage('The file has another URL'),
  otherSource: (source: string) => failureMessage('The object is in the source %s', [source]),
  flagsInKey: () => failureMessage('search key can not contain flags'),
  invalidRevision: (revision: string) =>
    failureMessage("Invalid version number '%s': versions are numbers greater or equal to 1", [revision]),
  invalidFlag: (value: string, name: string) =>
    failureMessage("Invalid value '%s' of parameter '%s': true or false expected", [value, name]),
  invalidCount: (value: string, name: string) =>
    failureMessage("Invalid value '%s' of parameter '%s': a whole number that is not negative is expected", [
      value,
      name,
    ]),
  invalidSerial: (value: string) =>
    failureMessage("Invalid value '%s' of header 'CADASTRE-Serial': a serial is expected", [value]),
  invalidKeyHeader: (max: number) =>
    failureMessage("Header 'Idempotency-Key' must have 1 to %d printable ASCII characters", [max]),
  keyWithoutAccount: () =>
    failureMessage("Header 'Idempotency-Key' needs an account: a session, an API key or a token"),
  keyOfOtherRequest: () => failureMessage("Another request has the key of the header 'Idempotency-Key'"),
  keyInUse: () => failureMessage("A request with this 'Idempotency-Key' is still running: repeat it later"),
  tooManyKeys: () => failureMessage("The account has sent too many keys in 'Idempotency-Key' within an hour"),
  headerNotSupported: (name: string) => failureMessage("Header '%s' is not supported for this request", [name]),
  ipkeyRequired: () => failureMessage('ipkey is required'),
  inverseAttributeRequired: () => failureMessage('inverse-attribute is required'),
  invalidPosition: (value: string) =>
    failureMessage(
      "Invalid value '%s' of 'after' or of header 'Last-Event-ID': a serial, or the id of an event, is expected",
      [shortened(value)],
    ),
  serialAhead: (serial: bigint, newest: bigint) =>
    failureMessage('The serial %s is greater than the newest one, which is %s', [serial, newest]),
  invalidDatetime: (value: string) =>
    failureMessage("Invalid value '%s' of header 'Accept-Datetime': a time such as %s is expected", [
      shortened(value),
      'Thu, 01 Jan 2026 00:00:00 GMT',
    ]),
  notInThePast: (name: string) =>
    failureMessage("Parameter '%s' is not available for the past: the response shows what a version shows", [name]),
  noAnnotationsOfThePast: () => failureMessage("Annotations are not available with 'as-of'"),
  inTheFuture: () => failureMessage('This time is in the future'),
  forgotten: (source: string) => failureMessage('The source %s has no history from this time', [source]),
  deletedBefore: (instant: string) => failureMessage('The object was deleted on %s', [instant], Severity.SEVERITY_INFO),
  olderVersions: (listed: number) =>
    failureMessage(
      "Only the newest %d versions are listed: 'as-of' lists those before a serial or time",
      [listed],
      Severity.SEVERITY_WARNING,
    ),
  erased: () => failureMessage('The operator has erased the text that the object had at this time'),
  changeTakenBack: (serial: bigint) =>
    failureMessage(
      "The registry was restored to a state before this change with the serial %s: start without 'after', then read the objects again",
      [serial],
    ),
  changesRemoved: (serial: bigint) =>
    failureMessage(
      "Changes after the serial %s were removed because of their age: start without 'after', then read the objects again",
      [serial],
    ),
  invalidValue: (value: string, name: string, expected: string) =>
    failureMessage("Invalid value '%s' of parameter '%s': %s is expected", [shortened(value), name, expected]),
  notExpandable: (type: string) =>
    failureMessage("'%s' cannot be expanded into prefixes: only an as-set or a route-set can", [shortened(type)]),
  noSetIndex: () => failureMessage('This registry does not expand sets: it runs no whois service'),
  jsonOrTextOnly: () => failureMessage('Only application/json and text/plain are supported here'),
  tooManyValues: (name: string, max: number) => failureMessage("Parameter '%s' has more than %d values", [name, max]),
  secretParameter: (name: string) =>
    failureMessage("Parameter '%s' is not accepted. Its value may have been disclosed: revoke it.", [name]),
  repeatedParameter: (name: string) => failureMessage("Parameter '%s' is given more than once", [name]),
  /** Omits a name that may contain a credential. */
  unknownParameter: (name: string | undefined) =>
    name === undefined
      ? failureMessage('Unknown parameter. Its name may contain a credential, so this message omits it')
      : failureMessage("Unknown parameter '%s'", [name]),
  tooManyParameters: (max: number) => failureMessage('More than %d parameters', [max]),
  urlTooLong: (bytes: number) => failureMessage('The URL is longer than %d bytes', [bytes]),
  malformedUrl: () => failureMessage('The path or the query is not percent-encoded UTF-8'),
  controlInUrl: () => failureMessage('The path or the query contains control characters'),
  notFound: () => wireMessage(registryMessages.notFound()),
  unknownPath: () => failureMessage('Unknown path'),
  methodNotAllowed: (method: string) => failureMessage('Method %s is not allowed here', [method]),
  lineRequired: () => failureMessage('q is required: the line'),
  hostRequired: () => failureMessage('A Host header is required'),
  oneHostRequired: () => failureMessage('A request must name one host'),
  httpsRequired: () => failureMessage('HTTPS required: this request was refused and its body was not read'),
  httpsRequiredForCredentials: () => failureMessage('HTTPS required for Authorization Header'),
  unsupportedAccept: (accept: string) =>
    failureMessage("No media type in '%s' is supported: use application/xml or application/json", [accept]),
  unsupportedRdapAccept: (accept: string) =>
    failureMessage("No media type in '%s' is supported: use application/rdap+json or application/json", [
      shortened(accept),
    ]),
  noNetworkKey: (key: string) =>
    failureMessage("'%s' is neither an address, a prefix nor a range of addresses", [shortened(key)]),
  noAsNumberKey: (key: string) => failureMessage("'%s' is no AS number from 0 to 4294967295", [shortened(key)]),
  noDomainKey: (key: string) => failureMessage("'%s' is no domain name", [shortened(key)]),
  noHandle: (key: string) => failureMessage("'%s' is no handle", [shortened(key)]),
  noNetwork: (key: string) => failureMessage('No network that covers %s is registered here', [shortened(key)]),
  noAsNumber: (key: string) => failureMessage('AS%s is not registered here', [shortened(key)]),
  noZone: (key: string) => failureMessage('No zone with the domain name %s is registered here', [shortened(key)]),
  noEntity: (key: string) => failureMessage('No entity with the handle %s is registered here', [shortened(key)]),
  noneAround: (key: string) => failureMessage('Nothing that encloses %s is registered here', [shortened(key)]),
  noneBelow: (key: string) => failureMessage('Nothing inside %s is registered here', [shortened(key)]),
  tooManyBelow: (max: number) => failureMessage('More than %d objects are found: ask for less', [max]),
  unknownRelation: (name: string) =>
    failureMessage("'%s' is none of rdap-up, rdap-top, rdap-down and rdap-bottom", [shortened(name)]),
  noSuchStatus: () => failureMessage("Only rdap-up and rdap-top have the parameter 'status', with the value active"),
  noHistory: (key: string) => failureMessage('There is no history of %s', [shortened(key)]),
  elsewhere: (url: string) => failureMessage('Another registry answers for this: %s', [url]),
  noBootstrapFile: (file: string) => failureMessage('This registry provides no bootstrap file %s', [shortened(file)]),
  noPublishedFile: (file: string) => failureMessage('This registry publishes no file %s', [shortened(file)]),
  nothingFound: () => failureMessage('Nothing that matches is registered here'),
  oneParameterExpected: (names: readonly string[]) =>
    failureMessage('Exactly one of these parameters is expected, with a value: %s', [names.join(', ')]),
  handleExpected: () => failureMessage("Parameter 'handle' is expected: the key of the entity"),
  patternTooWide: () =>
    failureMessage('Too many names begin like this pattern: give more characters before its first wildcard'),
  notServed: (what: string) => failureMessage('This registry does not answer questions about %s', [what]),
  unsupportedExtension: () => failureMessage('Text is available for GET only: use .xml or .json'),
  unsupportedScheme: () =>
    failureMessage(
      'Only "Authorization: Basic" with an API key and "Authorization: Bearer" with a token are supported',
    ),
  badClientCertificateHeader: () => failureMessage('The header Client-Cert contains no certificate'),
  wrongCredential: () => wireMessage(registryMessages.wrongCredential()),
  otherOrigin: () => failureMessage('Access denied: this write does not come from a page of this service'),
  credentialsRequired: () =>
    failureMessage('Credentials are required: an API key, a sign-in, a token or a client certificate'),
  accountRequired: () => failureMessage('Sign in, or use an API key of your account'),
  sessionRequired: () => failureMessage('Only a session can create an API key: sign in first'),
  limitedKey: () => failureMessage('An API key that is limited to a maintainer cannot manage API keys or webhooks'),
  notSignedIn: () => failureMessage('Not signed in'),
  noSignIn: () => failureMessage('This browser has not started a sign-in, or the sign-in took longer than ten minutes'),
  badReturnPath: () => failureMessage("Parameter 'return' must be a path of this service"),
  jsonExpected: () => failureMessage('Only application/json is supported here'),
  jsonObjectExpected: () => failureMessage('A JSON object is expected'),
  unknownMember: (name: string) => failureMessage('Unknown member "%s"', [name]),
  textsExpected: (name: string) => failureMessage('Member "%s" must be a list of strings', [name]),
  truthExpected: (name: string) => failureMessage('Member "%s" must be true or false', [name]),
  oneOfExpected: (name: string, values: readonly string[]) =>
    failureMessage('Member "%s" must be one of: %s', [name, values.join(', ')]),
  deliveryExpected: () => failureMessage('Exactly one of "serial", "after" and "test" is expected'),
  textExpected: (name: string) => failureMessage('Member "%s" must be a string', [name]),
  instantExpected: (name: string) =>
    failureMessage('Member "%s" must be a time such as 2030-01-31T12:00:00Z, or a date', [name]),
  unsupportedUpdateType: (type: string) =>
    failureMessage("Content-Type '%s' is not supported: use text/plain, a form, or application/pkcs7-mime", [type]),
  dataMissing: () => failureMessage('DATA parameter is missing'),
  diffNotSupported: () => failureMessage('the DIFF method is not actually supported by the Syncupdates interface'),
  invalidForm: () => failureMessage('Invalid request'),
  invalidSyncSource: (source: string) => failureMessage('Invalid source specified: %s', [source]),
  tooManyObjects: (max: number) => failureMessage('More than %d objects', [max]),
  noSuchObject: (key: string) => failureMessage('Object %s does not exist in the database', [key]),
  severalReasons: () => failureMessage('Multiple reasons specified for %s operation', ['delete']),
  deletionOfNew: () => failureMessage('%s is not allowed when keyword %s is specified', ['delete', 'NEW']),
  tooManySignatures: (max: number) => failureMessage('A text may have at most %d signatures', [max]),
  signedTextTooLarge: (octets: number, lines: number) =>
    wireMessage(registryMessages.signedTextTooLarge(octets, lines)),
  notSigned: (name: string) =>
    failureMessage('The signature of the text does not cover the parameter %s: leave it out', [name]),
  unsigned: () => failureMessage('The text is not signed'),
  wrongSignature: () => wireMessage(registryMessages.wrongSignature()),
  contentTypeMissing: () =>
    failureMessage('A Content-Type header is required: use application/xml or application/json'),
  unsupportedContentType: (type: string) =>
    failureMessage("Content-Type '%s' is not supported: use application/xml or application/json", [type]),
  unsupportedEncoding: (encoding: string) => failureMessage("Content-Encoding '%s' is not supported", [encoding]),
  unknownCharset: (charset: string) => failureMessage("Unknown character set '%s'", [charset]),
  undecodable: (charset: string) => failureMessage("The body is not valid in the character set '%s'", [charset]),
  otherCharset: (charset: string) =>
    failureMessage(
      "The body is not in the character set '%s': it has the byte order mark or the NUL characters of another one",
      [charset],
    ),
  bodyTooLarge: (bytes: number) => failureMessage('The body is larger than %d bytes', [bytes]),
  damagedBody: () => failureMessage('The body cannot be decompressed'),
  bodyIncomplete: () => failureMessage('The body is incomplete'),
  malformedXml: (reason: string, line: number, column: number) => malformed('XML', reason, line, column),
  malformedJson: (reason: string, line: number, column: number) => malformed('JSON', reason, line, column),
  singleObjectExpected: (found: number) =>
    failureMessage('Single object expected in WhoisResources (found %d)', [found]),
  objectsExpected: () => failureMessage('At least one object is expected in WhoisResources'),
  unknownAction: (action: string) =>
    failureMessage("Unknown action '%s': use CREATE, MODIFY or DELETE", [shortened(action)]),
  conditionTooLong: (max: number) => failureMessage("'if-match' of an object has more than %d characters", [max]),
  invalidIfNoneMatch: () =>
    failureMessage("'if-none-match' of an object is '*', without 'if-match' and without the action DELETE"),
  onlyInBatches: (name: string) => failureMessage("Only objects of a batch may have '%s'", [name]),
  pairExpected: () => failureMessage('Exactly one mntner and one person or role are expected in WhoisResources'),
  noAttributes: () => wireMessage(registryMessages.noAttributes()),
  attributeWithoutName: () => failureMessage('Attribute without a name'),
  attributeWithoutValue: (name: string) => filled(`Attribute ${shortened(name)} has no value`),
  commentTwice: (name: string) => filled(`Value cannot have a comment in ${shortened(name)}`),
  unknownAttribute: (name: string) => failureMessage('"%s" is not a known RPSL attribute', [shortened(name)]),
  tooManyLines: (max: number) => failureMessage('More than %d lines', [max]),
  tooManyAttributes: (max: number) => failureMessage('More than %d attributes', [max]),
  hostBlocked: (client: string) =>
    failureMessage('Your host %s has been blocked. Please contact the operator of this registry.', [client]),
  deniedForRepetition: (client: string) =>
    accessDenied(
      'Access is temporarily denied, because the client kept exceeding its limits.\nThe header Retry-After says for how long.',
      client,
    ),
  deniedForTheDay: (client: string) =>
    accessDenied(
      'The client has passed the daily limit of personal objects.\nAccess is temporarily denied until midnight UTC.',
      client,
    ),
  tooManyRequests: (max: number, what: string, client: string) =>
    failureMessage('Too many requests: at most %d %s per second are accepted from %s', [max, what, client]),
  tooManyAtOnce: (max: number, what: string, client: string) =>
    failureMessage('Too many requests: at most %d concurrent %s are accepted from %s', [max, what, client]),
  offsetTooLarge: (max: number) =>
    unsupportedQuery(
      "A search may skip at most %s objects: follow the 'Link' of a search with a 'limit', or use a narrower query.",
      max,
    ),
  resultTooLarge: (max: number) =>
    unsupportedQuery(
      "A search returns at most %s objects, and there are more: use 'limit' and follow the 'Link', or a narrower query.",
      max,
    ),
  tooManyFailures: (client: string) => failureMessage('Too many wrong credentials from %s: wait a minute', [client]),
  tooManyUnknownAccounts: (client: string) =>
    failureMessage('Too many names of accounts that do not exist from %s: wait a minute', [client]),
  tooCostly: (max: number, what: string, client: string) =>
    failureMessage('Too costly requests: at most %d %s per minute are accepted from %s', [max, what, client]),
  tooManyResourcesPerMinute: (max: number, client: string) =>
    failureMessage('Too many requests: at most %d resources per minute are looked up in bulk for %s', [max, client]),
  tooManyResources: (max: number) => failureMessage('More than %d resources', [max]),
  resourcesExpected: () =>
    failureMessage('At least one address, prefix, range or AS number is expected, each on a line of its own'),
  unsupportedListType: (type: string) =>
    failureMessage("Content-Type '%s' is not supported: use text/plain or application/json", [type]),
  unsupportedRows: (accept: string) =>
    failureMessage("No media type in '%s' is supported: use application/json, application/x-ndjson or text/csv", [
      shortened(accept),
    ]),
  roaValid: (origin: string) =>
    failureMessage('ROA valid: %s may originate this prefix', [origin], Severity.SEVERITY_INFO),
  roaNotFound: () => failureMessage('No ROA covers this prefix', [], Severity.SEVERITY_INFO),
  /** Services of an earlier release do not say which ROA it is. */
  roaInvalid: (conflict: RoaConflict | undefined) => {
    if (conflict === undefined) return failureMessage('ROA invalid', [], Severity.SEVERITY_WARNING);
    const { prefix, maxLength, origin } = conflict;
    return origin === 0
      ? failureMessage('ROA invalid: nobody may originate %s', [prefix], Severity.SEVERITY_WARNING)
      : failureMessage(
          'ROA invalid: AS%d may originate %s, at most /%d',
          [origin, prefix, maxLength],
          Severity.SEVERITY_WARNING,
        );
  },
  overloaded: () => failureMessage('Service overloaded, try again later'),
  unexpected: () => failureMessage('Unexpected error occurred'),
  badRequest: (text: string) => filled(text),
};

/** Clients of the RIPE Database know the first line (ERROR:201); the detail is our own. */
function accessDenied(detail: string, client: string): Message {
  return failureMessage(`ERROR:201: access denied for %s\n\n${detail}\n`, [client]);
}

const maxEchoLength = 200;

/** Shortens a value from the request for use in a message. */
function shortened(text: string): string {
  return text.length > maxEchoLength ? `${text.slice(0, maxEchoLength - 1)}…` : text;
}

/** Clients of the RIPE Database know the first line (ERROR:112); the detail is our own. */
function unsupportedQuery(detail: string, max: number): Message {
  return failureMessage(`ERROR:112: unsupported query\n\n${detail}\n`, [max]);
}

/** A message without placeholders: escapes percent signs. */
function filled(text: string): Message {
  return failureMessage(text.replaceAll('%', '%%'));
}

function malformed(kind: string, reason: string, line: number, column: number): Message {
  return failureMessage(`${kind} processing exception: %s (line: %s, column: %s)`, [shortened(reason), line, column]);
}
