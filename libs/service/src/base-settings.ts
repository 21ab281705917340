import { setting } from './settings.js';

/** The settings that every service has; spread them into the service's own. */
export const baseSettings = {
  environment: setting.oneOf(['production', 'test'], {
    name: 'CADASTRE_ENVIRONMENT',
    doc: 'Which of the two environments this deployment serves.',
    default: 'test',
  }),
  source: setting.text({
    name: 'CADASTRE_SOURCE',
    doc: 'Name of the main source of this registry.',
    default: 'TEST',
    max: 80,
  }),
  logLevel: setting.oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    name: 'CADASTRE_LOG_LEVEL',
    doc: 'How much is logged.',
    default: 'info',
  }),
  tlsCertFile: setting.text({
    name: 'CADASTRE_TLS_CERT_FILE',
    doc: 'Certificate (PEM) that this service shows to the others; with key and CA, calls use mutual TLS.',
    optional: true,
  }),
  tlsKeyFile: setting.text({
    name: 'CADASTRE_TLS_KEY_FILE',
    doc: 'Private key (PEM) of the certificate.',
    optional: true,
  }),
  tlsCaFile: setting.text({
    name: 'CADASTRE_TLS_CA_FILE',
    doc: 'CA certificates (PEM) that the other services must be certified by.',
    optional: true,
  }),
};
