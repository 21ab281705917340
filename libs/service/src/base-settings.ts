import { setting } from './settings.js';

/** The settings that every service has; spread them into the service's own. */
export const baseSettings = {
  environment: setting.oneOf(['production', 'test'], {
    name: 'CADASTRE_ENVIRONMENT',
    doc: 'The environment that this deployment serves.',
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
    doc: 'Lowest level of the events in the log.',
    default: 'info',
  }),
  operations: setting.address({
    name: 'CADASTRE_OPERATIONS',
    doc: 'Address of the plain HTTP port with /live, /ready and /metrics; none by default.',
    optional: true,
  }),
  tlsCertFile: setting.text({
    name: 'CADASTRE_TLS_CERT_FILE',
    doc: 'Certificate (PEM) of this service; with key and CA certificates, gRPC uses mutual TLS.',
    optional: true,
  }),
  tlsKeyFile: setting.text({
    name: 'CADASTRE_TLS_KEY_FILE',
    doc: 'Private key (PEM) of the certificate.',
    optional: true,
  }),
  tlsCaFile: setting.text({
    name: 'CADASTRE_TLS_CA_FILE',
    doc: 'CA certificates (PEM) that must have signed the certificates of the other services.',
    optional: true,
  }),
};
