/**
 * What registries publish about themselves, for their followers: the list of routing registries at irr.net, their own
 * pages, and the configurations that IRRd's documentation shows; as of November 2026. They may change any of it; an
 * entry of the file of origins overrides each fact.
 */

/** The facts of one registry. */
export interface Preset {
  /** The URLs of the whole dump; absent when there are only files by class. */
  readonly dump?: string;
  /** A file for each class, named by `{class}`. */
  readonly split?: { readonly url: string; readonly classes: readonly string[] };
  /** The file with the serial of the dump. */
  readonly serial?: string;
  /** Of dumps; default latin1. */
  readonly encoding?: 'utf8';
  /** Where changes come from by NRTM version 3. Registries allow addresses that ask for it. */
  readonly nrtm3?: { readonly host: string; readonly port: number };
  /** The notification file of NRTM version 4. */
  readonly nrtm4?: { readonly url: string };
}

/** The classes that filters of routers and their contacts need: what a preset follows by default. */
export const routingClasses: readonly string[] = [
  'aut-num',
  'as-set',
  'route',
  'route6',
  'route-set',
  'filter-set',
  'peering-set',
  'inet-rtr',
  'rtr-set',
  'mntner',
];

const registryClasses = ['as-block', 'inet6num', 'inetnum', 'irt', 'key-cert', 'organisation', 'role'];
const radb = 'ftp://ftp.radb.net/radb/dbase';
const ripe = 'https://ftp.ripe.net/ripe/dbase';
const apnic = 'https://ftp.apnic.net/apnic/whois';

/** Of a registry that has `<source>.db.gz` and `<SOURCE>.CURRENTSERIAL` in one folder, and serves changes at a host. */
function published(source: string, folder: string, host: string, port = 43): Preset {
  return {
    dump: `${folder}/${source.toLowerCase()}.db.gz`,
    serial: `${folder}/${source}.CURRENTSERIAL`,
    nrtm3: { host, port },
  };
}

/** By the name of the source. */
export const presets: Readonly<Record<string, Preset>> = {
  AFRINIC: published('AFRINIC', 'https://ftp.afrinic.net/pub/dbase', 'whois.afrinic.net', 43003),
  ALTDB: { ...published('ALTDB', 'ftp://ftp.altdb.net/pub/altdb', 'whois.altdb.net'), encoding: 'utf8' },
  APNIC: {
    split: { url: `${apnic}/apnic.db.{class}.gz`, classes: [...routingClasses, ...registryClasses, 'domain'] },
    serial: `${apnic}/APNIC.CURRENTSERIAL`,
    nrtm3: { host: 'nrtm.apnic.net', port: 43003 },
  },
  ARIN: { ...published('ARIN', 'https://ftp.arin.net/pub/rr', 'rr.arin.net', 4444), encoding: 'utf8' },
  BBOI: published('BBOI', 'ftp://irr.bboi.net', 'irr.bboi.net'),
  BELL: published('BELL', radb, 'whois.in.bell.ca'),
  CANARIE: published('CANARIE', radb, 'whois.canarie.ca'),
  IDNIC: published('IDNIC', 'ftp://irr-mirror.idnic.net', 'irr.idnic.net'),
  JPIRR: published('JPIRR', 'ftp://ftp.nic.ad.jp/jpirr', 'jpirr.nic.ad.jp'),
  LACNIC: { ...published('LACNIC', 'https://ftp.lacnic.net/lacnic/irr', 'irr.lacnic.net'), encoding: 'utf8' },
  LEVEL3: published('LEVEL3', 'https://rr.level3.net', 'rr.level3.net'),
  NESTEGG: published('NESTEGG', 'ftp://ftp.nestegg.net/irr', 'whois.nestegg.net'),
  NTTCOM: { ...published('NTTCOM', 'ftp://rr1.ntt.net/nttcomRR', 'rr.ntt.net'), encoding: 'utf8' },
  PANIX: published('PANIX', 'ftp://ftp.panix.com/pub/rrdb', 'rrdb.access.net'),
  RADB: { ...published('RADB', radb, 'whois.radb.net'), encoding: 'utf8' },
  REACH: published('REACH', radb, 'rr.telstraglobal.net'),
  RGNET: { ...published('RGNET', 'ftp://rg.net/rgnet', 'whois.rg.net'), dump: 'ftp://rg.net/rgnet/RGNET.db.gz' },
  RIPE: {
    ...published('RIPE', ripe, 'nrtm.db.ripe.net', 4444),
    split: {
      url: `${ripe}/split/ripe.db.{class}.gz`,
      classes: [...routingClasses, ...registryClasses, 'domain', 'person', 'poem', 'poetic-form'],
    },
    nrtm4: { url: 'https://nrtm.db.ripe.net/nrtmv4/RIPE/update-notification-file.jose' },
  },
  'RIPE-NONAUTH': {
    ...published('RIPE-NONAUTH', ripe, 'nrtm.db.ripe.net', 4444),
    nrtm4: { url: 'https://nrtm.db.ripe.net/nrtmv4/RIPE-NONAUTH/update-notification-file.jose' },
  },
  TC: { ...published('TC', 'ftp://ftp.bgp.net.br', 'whois.bgp.net.br'), encoding: 'utf8' },
};
