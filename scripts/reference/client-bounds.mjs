// Prints the table of what the gateway accepts from a client, with the numbers of the code.
import ts from 'typescript';
import { nodesOf, table } from './sources.mjs';

/** `numberOf` reads an expression of numbers. */
export function clientBounds({ files }, numberOf) {
  /** The numbers that variables and properties of this name have in a file, in their order. */
  const all = (path, name) => {
    const file = files.find(({ fileName }) => fileName === path);
    const named = file && nodesOf(file, (node) => ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node));
    const own = (named ?? []).filter((node) => node.name.getText() === name && node.initializer);
    const numbers = own.map(({ initializer }) => numberOf(initializer)).filter((value) => value !== undefined);
    if (numbers.length === 0) throw new Error(`${path} has no number ${name}`);
    return numbers;
  };
  const inFile = (path) => (name) => all(path, name)[0];
  const usual = inFile('services/gateway/src/bounds.ts');
  const http2 = inFile('services/gateway/src/server/http2-bounds.ts');
  const body = (file) => inFile(`services/gateway/src/body/${file}.ts`);
  const bulk = inFile('services/gateway/src/rest/bulk-lookup.ts');
  const [of56, of48, ofLoopback] = all('libs/limits/src/client-networks.ts', 'times');
  const perClient = usual('connectionsPerClient');
  const attributes = usual('bodyAttributes');
  const proxyHeader = all('libs/service/src/listening/proxy-protocol.ts', 'headerTimeoutMs')[0];
  const around = [of56, of48, ofLoopback].map((times) => count(times * perClient)).join('; ');
  const overloaded = '503 with `Retry-After`';
  return table(
    ['What', 'Bound', 'Beyond it'],
    [
      ['connections to a port', '`CADASTRE_CONNECTIONS`', 'the idlest one is closed; `/ready` reports it'],
      ['connections of a client to all ports', count(perClient), 'closed immediately'],
      ['connections of an IPv6 /56; of a /48; of 127.0.0.0/8', around, 'closed immediately'],
      ['requests on a connection', count(usual('requestsPerConnection')), '`Connection: close`; HTTP/2: GOAWAY'],
      ['streams of an HTTP/2 connection', count(http2('maxConcurrentStreams')), 'refused stream'],
      [
        'memory of an HTTP/2 connection whose client does not read',
        `${count(http2('maxSessionMemory'))} MB`,
        'refused stream',
      ],
      [
        'reset streams of an HTTP/2 connection',
        `${count(http2('resetBurst'))}, then ${count(http2('resetsPerSecond'))} per second`,
        'connection closed',
      ],
      ['header of the PROXY protocol', seconds(proxyHeader), 'closed'],
      [
        'TLS handshake; headers',
        `${seconds(usual('handshakeTimeoutMs'))}; ${seconds(usual('headersTimeout'))}`,
        'closed; 408',
      ],
      ['a whole request', seconds(usual('requestTimeout')), '408; HTTP/2: stream cancelled'],
      ['a client that reads nothing of a search', seconds(usual('stallTimeout')), 'closed'],
      ['a whole search, until its client has it', seconds(usual('streamDeadline')), 'ends with an error'],
      ['hosts that a request names', 'one', '400'],
      ['request line and headers', bytes(usual('headerBytes')), '431; HTTP/2: stream reset'],
      ['path and query', bytes(usual('urlBytes')), '414'],
      ['query parameters', count(usual('parameters')), '400'],
      ['unknown parameters of a write', 'none', '400'],
      ['body, as sent and decompressed', bytes(usual('bodyBytes')), '413'],
      [
        'body without credentials; objects in it, with declared length',
        `${bytes(body('budget')('anonymousBodyBytes'))}; ${bytes(body('budget')('anonymousObjectBytes'))}`,
        '413; 401',
      ],
      ['bulk lookup: body; resources', `${bytes(bulk('maxBytes'))}; ${count(bulk('maxResources'))}`, '413; 400'],
      [
        'bytes of all current bodies',
        `${bytes(body('budget')('bodyBudgetBytes'))}, half of it for one client`,
        overloaded,
      ],
      [
        'objects, attributes, depth of a body',
        `${count(usual('bodyObjects'))}; ${count(attributes)}; ${count(usual('bodyDepth'))}`,
        '400',
      ],
      [
        'lines of a text, or of all values of a body',
        count(attributes * body('whois-resources')('linesPerAttribute')),
        '400',
      ],
      [
        'values of a JSON body',
        count(attributes * body('json')('valuesPerAttribute') + body('json')('otherValues')),
        '400',
      ],
      [
        'elements of an XML body',
        count(attributes * body('xml')('elementsPerAttribute') + body('xml')('otherElements')),
        '400',
      ],
      ['XML attributes of an element', count(body('xml')('maxXmlAttributes')), '400'],
      [
        'characters of an XML name; of a namespace',
        `${count(body('xml')('maxNameLength'))}; ${count(body('xml')('maxNamespaceLength'))}`,
        '400',
      ],
      [
        'fields of a form; headers of a part',
        `${count(body('form')('maxFields'))}; ${bytes(body('form')('maxHeaderBytes'))}`,
        '400',
      ],
      ['attribute errors in one response', count(body('whois-resources')('maxFaults')), 'left out'],
      ['concurrent requests', '`requests` of `CADASTRE_GATEWAY_CONCURRENT`', overloaded],
      ['concurrent searches', '`searches` of it', overloaded],
      ['concurrent change streams', '`streams` of it', overloaded],
      [
        'objects that a search returns; that it skips',
        '`search-objects` of `CADASTRE_LIMITS`',
        'ends with ERROR:112; 400',
      ],
      ['delay of the event loop, mean of a second', '`CADASTRE_GATEWAY_EVENT_LOOP_DELAY`', overloaded],
    ],
  );
}

const count = (number) => number.toLocaleString('en');
const seconds = (ms) => `${count(ms / 1_000)} s`;

function bytes(number) {
  return number >= 1 << 20 ? `${number / (1 << 20)} MiB` : `${number / (1 << 10)} KiB`;
}
