import {
  addressSettings,
  baseSettings,
  egressSettings,
  rpcSettings,
  type Setting,
  setting,
  termsSettings,
  type Values,
  webhookSettings,
} from '@cadastre/service';

/** The settings of the events service. */
export const eventsSettings = {
  ...baseSettings,
  ...rpcSettings,
  ...termsSettings,
  ...webhookSettings,
  ...egressSettings,
  objectsAddress: addressSettings.objectsAddress,
  mailUrl: setting.secret({
    name: 'CADASTRE_MAIL_URL',
    doc: 'The mail server: smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start. With a user, smtp:// needs STARTTLS; without one, it uses STARTTLS if the server offers it, and with ?starttls=never not even then. file:///DIRECTORY writes each mail into a file instead, for trials. Default: none, and no mails are sent.',
    optional: true,
  }),
  mailCaFile: setting.text({
    name: 'CADASTRE_MAIL_CA_FILE',
    doc: 'PEM file of the CAs that sign the certificate of the mail server; default: the CAs of Node.js.',
    optional: true,
  }),
  mailFrom: addressSetting({
    name: 'CADASTRE_MAIL_FROM',
    doc: 'Address from which notifications come. Replies and bounces go there. Required with CADASTRE_MAIL_URL.',
    optional: true,
  }),
  mailName: setting.text({
    name: 'CADASTRE_MAIL_NAME',
    doc: 'Name of the registry in notifications; default: the name of its source.',
    max: 80,
    optional: true,
  }),
  mailConnections: setting.integer({
    name: 'CADASTRE_MAIL_CONNECTIONS',
    doc: 'Maximum connections to the mail server of each replica, and so of mails that it sends at a time.',
    default: 4,
    min: 1,
    max: 50,
  }),
  dkimSelector: setting.text({
    name: 'CADASTRE_MAIL_DKIM_SELECTOR',
    doc: 'Selector of the DKIM key, below the domain of CADASTRE_MAIL_FROM; default: mails are not signed here.',
    max: 63,
    optional: true,
  }),
  dkimKey: setting.secret({
    name: 'CADASTRE_MAIL_DKIM_KEY',
    doc: 'Private key (PEM) of that selector.',
    optional: true,
  }),
  baseUrl: setting.baseUrl({
    name: 'CADASTRE_BASE_URL',
    doc: 'Public URL of this registry, for links in notifications and events; default: none, and nobody can unsubscribe by a link.',
    optional: true,
  }),
  webhooks: setting.flag({
    name: 'CADASTRE_WEBHOOKS',
    doc: 'Whether this service delivers to webhooks. The objects service needs CADASTRE_OBJECTS_WEBHOOK_KEY.',
    default: false,
  }),
  webhookRefusedNetworks: setting.list({
    name: 'CADASTRE_WEBHOOK_REFUSED_NETWORKS',
    doc: 'Networks to which webhooks may not go, besides all that are not public: public addresses of your own network, such as 2001:db8::/32.',
    default: [],
  }),
};

export type EventsSettings = Values<typeof eventsSettings>;

function addressSetting(options: { name: string; doc: string; optional: true }): Setting<string | undefined> {
  const form = 'e-mail address';
  const isAddress = (value: string) => /^[^\s<>@",;:\\]+@[a-z0-9.-]+$/i.test(value);
  return {
    ...setting.text(options),
    form,
    parse: (value) => (isAddress(value) ? { value } : { problem: `must be: ${form}` }),
  };
}
