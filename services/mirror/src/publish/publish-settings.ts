import { setting } from '@cadastre/service';

/** The sources that others may follow. */
export const publishSettings = {
  published: setting.list({
    name: 'CADASTRE_MIRROR_PUBLISH',
    doc: 'Names of the sources that this registry publishes by NRTMv4, without persons, e-mail addresses and password hashes. MAIN is the main source without its non-authoritative part, MAIN-NONAUTH that part. Default: none.',
    default: [],
  }),
  keysDirectory: setting.text({
    name: 'CADASTRE_MIRROR_KEYS_DIR',
    doc: 'Directory of the private keys (PEM) that sign publications: signing-key.pem and, to announce the key that follows it, next-signing-key.pem. Required with CADASTRE_MIRROR_PUBLISH.',
    optional: true,
  }),
};
