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

/** By the name of the source. */
export const presets: Readonly<Record<string, Preset>> = {
  AFRINIC: {
    dump: 'https://ftp.afrinic.net/pub/dbase/afrinic.db.gz',
    serial: 'https://ftp.afrinic.net/pub/dbase/AFRINIC.CURRENTSERIAL',
    nrtm3: { host: 'whois.afrinic.net', port: 43003 },
  },
  ALTDB: {
    dump: 'ftp://ftp.altdb.net/pub/altdb/altdb.db.gz',
    serial: 'ftp://ftp.altdb.net/pub/altdb/ALTDB.CURRENTSERIAL',
    encoding: 'utf8',
    nrtm3: { host: 'whois.altdb.net', port: 43 },
  },
  APNIC: {
    split: { url: `${apnic}/apnic.db.{class}.gz`, classes: [...routingClasses, ...registryClasses, 'domain'] },
    serial: `${apnic}/APNIC.CURRENTSERIAL`,
    nrtm3: { host: 'nrtm.apnic.net', port: 43003 },
  },
  ARIN: {
    dump: 'https://ftp.arin.net/pub/rr/arin.db.gz',
    serial: 'https://ftp.arin.net/pub/rr/ARIN.CURRENTSERIAL',
    encoding: 'utf8',
    nrtm3: { host: 'rr.arin.net', port: 4444 },
  },
  BBOI: {
    dump: 'ftp://irr.bboi.net/bboi.db.gz',
    serial: 'ftp://irr.bboi.net/BBOI.CURRENTSERIAL',
    nrtm3: { host: 'irr.bboi.net', port: 43 },
  },
  BELL: {
    dump: `${radb}/bell.db.gz`,
    serial: `${radb}/BELL.CURRENTSERIAL`,
    nrtm3: { host: 'whois.in.bell.ca', port: 43 },
  },
  CANARIE: {
    dump: `${radb}/canarie.db.gz`,
    serial: `${radb}/CANARIE.CURRENTSERIAL`,
    nrtm3: { host: 'whois.canarie.ca', port: 43 },
  },
  IDNIC: {
    dump: 'ftp://irr-mirror.idnic.net/idnic.db.gz',
    serial: 'ftp://irr-mirror.idnic.net/IDNIC.CURRENTSERIAL',
    nrtm3: { host: 'irr.idnic.net', port: 43 },
  },
  JPIRR: {
    dump: 'ftp://ftp.nic.ad.jp/jpirr/jpirr.db.gz',
    serial: 'ftp://ftp.nic.ad.jp/jpirr/JPIRR.CURRENTSERIAL',
    nrtm3: { host: 'jpirr.nic.ad.jp', port: 43 },
  },
  LACNIC: {
    dump: 'https://ftp.lacnic.net/lacnic/irr/lacnic.db.gz',
    serial: 'https://ftp.lacnic.net/lacnic/irr/LACNIC.CURRENTSERIAL',
    encoding: 'utf8',
    nrtm3: { host: 'irr.lacnic.net', port: 43 },
  },
  LEVEL3: {
    dump: 'https://rr.level3.net/level3.db.gz',
    serial: 'https://rr.level3.net/LEVEL3.CURRENTSERIAL',
    nrtm3: { host: 'rr.level3.net', port: 43 },
  },
  NESTEGG: {
    dump: 'ftp://ftp.nestegg.net/irr/nestegg.db.gz',
    serial: 'ftp://ftp.nestegg.net/irr/NESTEGG.CURRENTSERIAL',
    nrtm3: { host: 'whois.nestegg.net', port: 43 },
  },
  NTTCOM: {
    dump: 'ftp://rr1.ntt.net/nttcomRR/nttcom.db.gz',
    serial: 'ftp://rr1.ntt.net/nttcomRR/NTTCOM.CURRENTSERIAL',
    encoding: 'utf8',
    nrtm3: { host: 'rr.ntt.net', port: 43 },
  },
  PANIX: {
    dump: 'ftp://ftp.panix.com/pub/rrdb/panix.db.gz',
    serial: 'ftp://ftp.panix.com/pub/rrdb/PANIX.CURRENTSERIAL',
    nrtm3: { host: 'rrdb.access.net', port: 43 },
  },
  RADB: {
    dump: `${radb}/radb.db.gz`,
    serial: `${radb}/RADB.CURRENTSERIAL`,
    encoding: 'utf8',
    nrtm3: { host: 'whois.radb.net', port: 43 },
  },
  REACH: {
    dump: `${radb}/reach.db.gz`,
    serial: `${radb}/REACH.CURRENTSERIAL`,
    nrtm3: { host: 'rr.telstraglobal.net', port: 43 },
  },
  RGNET: {
    dump: 'ftp://rg.net/rgnet/RGNET.db.gz',
    serial: 'ftp://rg.net/rgnet/RGNET.CURRENTSERIAL',
    nrtm3: { host: 'whois.rg.net', port: 43 },
  },
  RIPE: {
    dump: `${ripe}/ripe.db.gz`,
    split: {
      url: `${ripe}/split/ripe.db.{class}.gz`,
      classes: [...routingClasses, ...registryClasses, 'domain', 'person', 'poem', 'poetic-form'],
    },
    serial: `${ripe}/RIPE.CURRENTSERIAL`,
    nrtm3: { host: 'nrtm.db.ripe.net', port: 4444 },
    nrtm4: { url: 'https://nrtm.db.ripe.net/nrtmv4/RIPE/update-notification-file.jose' },
  },
  'RIPE-NONAUTH': {
    dump: `${ripe}/ripe-nonauth.db.gz`,
    serial: `${ripe}/RIPE-NONAUTH.CURRENTSERIAL`,
    nrtm3: { host: 'nrtm.db.ripe.net', port: 4444 },
    nrtm4: { url: 'https://nrtm.db.ripe.net/nrtmv4/RIPE-NONAUTH/update-notification-file.jose' },
  },
  TC: {
    dump: 'ftp://ftp.bgp.net.br/tc.db.gz',
    serial: 'ftp://ftp.bgp.net.br/TC.CURRENTSERIAL',
    encoding: 'utf8',
    nrtm3: { host: 'whois.bgp.net.br', port: 43 },
  },
};
