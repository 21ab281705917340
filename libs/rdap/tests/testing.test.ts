import { samples } from '@cadastre/rpsl';
import { describe, expect, it } from 'vitest';
import { answer } from '../src/answers.js';
import { document } from '../src/document.js';
import { ipNetwork } from '../src/network.js';
import { asJson, registry, requested, sampleContacts, storedLines, storedOf } from '../src/stored.fixture.js';
import { checkNumbers, faultsOf, headerFaultsOf } from './testing.js';

const generated = 'created: 2020-01-02T03:04:05Z\nlast-modified: 2020-01-02T03:04:05Z\ncountry: DE\n';
const network = ipNetwork(registry, requested, storedOf(samples.inetnum + generated), {
  related: sampleContacts,
  parentKey: '0.0.0.0 - 255.255.255.255',
})!;

const answers = {
  ip: network,
  autnum: document(registry, requested, storedOf(samples['aut-num']), { related: sampleContacts })!,
  domain: document(registry, requested, storedOf(`${samples.domain}nserver: ns3.example.net 192.0.2.1\n`), {
    network,
  })!,
  entity: document(registry, requested, storedOf(samples.person), { related: sampleContacts, showEmail: true })!,
};

// biome-ignore lint/suspicious/noExplicitAny: The faults are of every form.
type Broken = any;

/** How to break an answer so that a check finds it. */
const breaks: readonly (readonly [number: number, of: keyof typeof answers, act: (it: Broken) => void])[] = [
  [1, 'ip', (it) => (it.name = '')],
  [1, 'entity', (it) => (it.entities[0].links[0].title = null)],
  [2, 'ip', (it) => (it.more = 'x')],
  [2, 'ip', (it) => delete it.lang],
  [3, 'ip', (it) => (it.cidr0_cidrs = [25, 26].map((length) => ({ v4prefix: '192.0.2.0', length })))],
  [3, 'ip', (it) => (it.endAddress = '192.0.2.254')],
  [4, 'entity', (it) => it.vcardArray[1].push(['tel', { type: 'voice' }, 'uri', '+31 20 555'])],
  [4, 'entity', (it) => it.vcardArray[1].push(['email', { type: '' }, 'text', 'a@b.example'])],
  [4, 'entity', (it) => it.vcardArray[1].shift()],
  [5, 'ip', (it) => it.entities[0].vcardArray[1].push(['email', {}, 'text', 'a@b.example'])],
  [5, 'ip', (it) => (it.entities[0].handle = 'ZZ9-TEST')],
  [6, 'ip', (it) => delete it.country],
  [7, 'ip', (it) => (it.entities[0].entities = [it.entities[1]])],
  [8, 'domain', (it) => (it.network.notices = it.notices)],
  [100, 'ip', (it) => delete it.rdapConformance],
  [101, 'domain', (it) => (it.network.rdapConformance = ['rdap_level_0'])],
  [102, 'ip', (it) => it.rdapConformance.push('unheard_of_0')],
  [103, 'ip', (it) => (it.rdapConformance = [])],
  [200, 'ip', (it) => delete it.links[0].value],
  [201, 'ip', (it) => delete it.entities[0].links[0].rel],
  [202, 'ip', (it) => delete it.links[0].type],
  [203, 'ip', (it) => (it.links[1].rel = 'related')],
  [205, 'ip', (it) => (it.links[1].rel = 'self')],
  [206, 'domain', (it) => delete it.network.links],
  [207, 'ip', (it) => (it.links[0].href = '/ip/192.0.2.0 - 192.0.2.255')],
  [209, 'ip', (it) => (it.links = [])],
  [400, 'ip', (it) => delete it.events[0].eventDate],
  [401, 'ip', (it) => (it.events[0].eventDate = '2020-01-02')],
  [402, 'ip', (it) => delete it.events[0].eventAction],
  [403, 'ip', (it) => (it.events[0].eventAction = 'seen')],
  [404, 'ip', (it) => (it.events = [])],
  [500, 'ip', (it) => delete it.remarks[0].description],
  [501, 'ip', (it) => (it.notices[0].description = 'x')],
  [502, 'ip', (it) => (it.notices[0].type = 'x')],
  [503, 'ip', (it) => (it.notices = [])],
  [504, 'ip', (it) => (it.remarks = [])],
  [600, 'ip', (it) => (it.entities[0].handle = ' ')],
  [602, 'ip', (it) => (it.parentHandle = 7)],
  [700, 'ip', (it) => (it.status = [])],
  [701, 'autnum', (it) => (it.status = ['fine'])],
  [800, 'ip', (it) => (it.entities[0].roles = [])],
  [801, 'ip', (it) => (it.entities[0].roles = ['zone'])],
  [802, 'ip', (it) => (it.entities[0].roles = 'abuse')],
  [900, 'domain', (it) => (it.ldhName = 'a_b.arpa')],
  [900, 'domain', (it) => (it.nameservers[0].ldhName = '-.example.net')],
  [1100, 'autnum', (it) => (it.name = 7)],
  [1200, 'ip', (it) => (it.type = ' ')],
  [1300, 'ip', (it) => delete it.endAddress],
  [1301, 'ip', (it) => (it.startAddress = '192.0.2.0/24')],
  [1302, 'ip', (it) => (it.endAddress = '192.0.1.0')],
  [1303, 'ip', (it) => (it.ipVersion = 'v6')],
  [1304, 'ip', (it) => (it.ipVersion = '4')],
  [1305, 'domain', (it) => (it.nameservers[2].ipAddresses.v4 = [])],
  [1400, 'autnum', (it) => delete it.endAutnum],
  [1401, 'autnum', (it) => (it.endAutnum = 1)],
  [1500, 'entity', (it) => (it.vcardArray = ['vcard'])],
  [1501, 'entity', (it) => it.vcardArray[1].splice(1, 1)],
  [1502, 'entity', (it) => (it.vcardArray[1][1][3] = ' ')],
  [1600, 'ip', (it) => (it.port43 = '')],
  [1900, 'ip', (it) => delete it.cidr0_cidrs[0].v4prefix],
  [1901, 'ip', (it) => delete it.cidr0_cidrs[0].length],
  [1904, 'ip', (it) => (it.cidr0_cidrs = [])],
  [2200, 'domain', (it) => (it.secureDNS.delegationSigned = 'true')],
  [2213, 'domain', (it) => (it.secureDNS.dsData[0].algorithm = '13')],
  [2215, 'domain', (it) => (it.secureDNS.dsData[0].keyTag = 65536)],
  [2217, 'domain', (it) => (it.secureDNS.dsData[0].digestType = 256)],
  [2220, 'domain', (it) => (it.secureDNS.dsData = [])],
  [2300, 'ip', (it) => (it.country = 31)],
  [2400, 'ip', (it) => (it.entities = [])],
];

describe('faultsOf', () => {
  it.each(Object.entries(answers))('finds nothing wrong with an answer about an %s', (_, nested) => {
    expect(faultsOf(asJson(answer(registry, requested, nested)))).toEqual([]);
  });

  it.each(breaks.map(([number, of, act]) => [number, of, String(act), act] as const))(
    'finds %i in an answer about an %s after %s',
    (number, of, _, act) => {
      const broken = asJson(answer(registry, requested, answers[of]));
      act(broken);
      expect(faultsOf(broken).map((fault) => Number(/^\d+/.exec(fault)))).toContain(number);
    },
  );

  it('has no check that the cases above do not try', () => {
    expect(new Set(breaks.map(([number]) => number))).toEqual(new Set(checkNumbers));
  });

  it('needs no link of a missing contact', () => {
    const stored = storedLines('aut-num: AS3333', 'admin-c: ZZ9-TEST', 'source: TEST');
    const nested = document(registry, requested, stored, { related: { objects: new Map() } })!;
    expect(faultsOf(asJson(answer(registry, requested, nested)))).toEqual([]);
  });
});

it.each([
  [{ 'content-type': 'application/rdap+json', 'access-control-allow-origin': '*' }, []],
  [{}, [1800, 1803]],
  [{ 'content-type': 'application/json', 'access-control-allow-origin': 'https://a.example' }, [1801, 1804]],
  [
    {
      'content-type': 'application/rdap+json',
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
    },
    [1802],
  ],
])('headerFaultsOf finds in %j: %j', (headers, numbers) => {
  expect(headerFaultsOf(headers).map((fault) => Number(/^\d+/.exec(fault)))).toEqual(numbers);
});
