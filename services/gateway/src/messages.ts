import type { Message } from '@cadastre/proto/registry';
import { messages as registryMessages } from '@cadastre/rpsl';
import { failureMessage } from '@cadastre/service';

/** What the REST layer itself says; templates as clients of this dialect know them (decision F6). */
export const messages = {
  invalidSource: (source: string) => failureMessage("Invalid source '%s'", [source]),
  invalidObjectType: (type: string) => filled(`Invalid object type: ${type}`),
  noEntries: (source: string) => {
    const { text, args } = registryMessages.noEntries([source]);
    return failureMessage(text, args);
  },
  invalidKey: () =>
    failureMessage(
      'ERROR:115: invalid search key\n\nSearch key entered is not valid for the specified object type(s)\n',
    ),
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
  ipkeyRequired: () => failureMessage('ipkey is required'),
  secretParameter: (name: string) =>
    failureMessage(
      "Parameter '%s' is not accepted. What was sent in it must be considered disclosed: please revoke it.",
      [name],
    ),
  repeatedParameter: (name: string) => failureMessage("Parameter '%s' is given more than once", [name]),
  tooManyParameters: (most: number) => failureMessage('More than %d parameters', [String(most)]),
  urlTooLong: (bytes: number) => failureMessage('The URL is longer than %d bytes', [String(bytes)]),
  malformedUrl: () => failureMessage('The path or the query is not percent-encoded UTF-8'),
  controlInUrl: () => failureMessage('The path or the query holds control characters'),
  notFound: () => failureMessage('Not Found'),
  unknownPath: () => failureMessage('There is nothing under this path'),
  methodNotAllowed: (method: string) => failureMessage('Method %s is not allowed here', [method]),
  hostRequired: () => failureMessage('A Host header is required'),
  httpsRequired: () => failureMessage('HTTPS required: this request was refused and its body was not read'),
  httpsRequiredForCredentials: () => failureMessage('HTTPS required for Authorization Header'),
  unsupportedAccept: (accept: string) =>
    failureMessage("None of the media types in '%s' is supported here: use application/xml or application/json", [
      accept,
    ]),
  unsupportedExtension: () => failureMessage('Text is available for GET only: use .xml or .json'),
  unsupportedScheme: () =>
    failureMessage(
      'Only "Authorization: Basic" with an API key and "Authorization: Bearer" with a token are supported',
    ),
  badClientCertificateHeader: () => failureMessage('The header Client-Cert holds no certificate'),
  wrongCredential: () => failureMessage('The credential is wrong, expired or revoked'),
  otherOrigin: () => failureMessage('Access denied: this write does not come from a page of this service'),
  accountRequired: () => failureMessage('Sign in, or use an API key of your account'),
  limitedKey: () => failureMessage('An API key that is limited to a maintainer cannot manage API keys'),
  notSignedIn: () => failureMessage('Nobody is signed in'),
  noSignIn: () => failureMessage('No sign-in was begun in this browser, or it took longer than ten minutes'),
  badReturnPath: () => failureMessage("Parameter 'return' must be a path of this service"),
  jsonExpected: () => failureMessage('Only application/json is supported here'),
  jsonObjectExpected: () => failureMessage('A JSON object is expected'),
  unknownMember: (name: string) => failureMessage('Unknown member "%s"', [name]),
  textExpected: (name: string) => failureMessage('Member "%s" must be a text', [name]),
  instantExpected: (name: string) =>
    failureMessage('Member "%s" must be an instant such as 2030-01-31T12:00:00Z, or a day', [name]),
  unsupportedUpdateType: (type: string) =>
    failureMessage("Content-Type '%s' is not supported: use text/plain, a form, or application/pkcs7-mime", [type]),
  dataMissing: () => failureMessage('DATA parameter is missing'),
  diffNotSupported: () => failureMessage('the DIFF method is not actually supported by the Syncupdates interface'),
  invalidForm: () => failureMessage('Invalid request'),
  invalidSyncSource: (source: string) => failureMessage('Invalid source specified: %s', [source]),
  tooManyObjects: (most: number) => failureMessage('More than %d objects', [String(most)]),
  noSuchObject: (key: string) => failureMessage('Object %s does not exist in the database', [key]),
  severalReasons: () => failureMessage('Multiple reasons specified for %s operation', ['delete']),
  deletionOfNew: () => failureMessage('%s is not allowed when keyword %s is specified', ['delete', 'NEW']),
  textBesideSignature: () => failureMessage('There is text beside the signed block: sign all of it or nothing'),
  unsigned: () => failureMessage('The text is not signed'),
  wrongSignature: () => failureMessage('The signature is not valid'),
  contentTypeMissing: () =>
    failureMessage('A Content-Type header is required: use application/xml or application/json'),
  unsupportedContentType: (type: string) =>
    failureMessage("Content-Type '%s' is not supported: use application/xml or application/json", [type]),
  unsupportedEncoding: (encoding: string) => failureMessage("Content-Encoding '%s' is not supported", [encoding]),
  unknownCharset: (charset: string) => failureMessage("Unknown character set '%s'", [charset]),
  undecodable: (charset: string) => failureMessage("The body is not valid in the character set '%s'", [charset]),
  bodyTooLarge: (bytes: number) => failureMessage('The body is larger than %d bytes', [String(bytes)]),
  damagedBody: () => failureMessage('The body cannot be decompressed'),
  bodyIncomplete: () => failureMessage('The body ended early'),
  malformedXml: (reason: string, line: number, column: number) => malformed('XML', reason, line, column),
  malformedJson: (reason: string, line: number, column: number) => malformed('JSON', reason, line, column),
  singleObjectExpected: (found: number) =>
    failureMessage('Single object expected in WhoisResources (found %d)', [String(found)]),
  pairExpected: () => failureMessage('Exactly one mntner and one person or role are expected in WhoisResources'),
  noAttributes: () => failureMessage('The validated collection is empty'),
  attributeWithoutName: () => failureMessage('Attribute without a name'),
  attributeWithoutValue: (name: string) => filled(`Attribute ${name} has no value`),
  commentTwice: (name: string) => filled(`Value cannot have a comment in ${name}`),
  unknownAttribute: (name: string) => failureMessage('"%s" is not a known RPSL attribute', [name]),
  tooManyAttributes: (most: number) => failureMessage('More than %d attributes', [String(most)]),
  hostBlocked: (client: string) =>
    failureMessage('Your host %s has been blocked. Please contact the operator of this registry.', [client]),
  deniedForRepetition: (client: string) =>
    accessDenied(
      'Access is denied for a time, because limits were exceeded again and again.\nThe header Retry-After tells its end.',
      client,
    ),
  deniedForTheDay: (client: string) =>
    accessDenied(
      'The daily limit of personal objects has been passed.\nAccess is temporarily denied until midnight UTC.',
      client,
    ),
  tooManyRequests: (most: number, what: string, client: string) =>
    failureMessage('Too many requests: at most %d %s per second are accepted from %s', [String(most), what, client]),
  tooManyAtOnce: (most: number, client: string) =>
    failureMessage('Too many requests: at most %d at the same time are accepted from %s', [String(most), client]),
  tooManyFailures: (client: string) =>
    failureMessage('Too many wrong credentials have come from %s: wait a minute', [client]),
  overloaded: () => failureMessage('The service has too much to do: please try again in a moment'),
  unexpected: () => failureMessage('Unexpected error occurred'),
  badRequest: (text: string) => filled(text),
};

/** What clients of this dialect know a limit by (ERROR:201); the detail is ours. */
function accessDenied(detail: string, client: string): Message {
  return failureMessage(`ERROR:201: access denied for %s\n\n${detail}\n`, [client]);
}

/** A text that is complete already: its percent signs are no placeholders. */
function filled(text: string): Message {
  return failureMessage(text.replaceAll('%', '%%'));
}

function malformed(kind: string, reason: string, line: number, column: number): Message {
  return failureMessage(`${kind} processing exception: %s (line: %s, column: %s)`, [
    reason,
    String(line),
    String(column),
  ]);
}
