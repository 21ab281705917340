import { error, type Place } from '../message.js';

/** Results of the name server check (rule G-DNS-CHECK). The first two texts are those of the RIPE Database. */
export const dnsCheckMessages = {
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
