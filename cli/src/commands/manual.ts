import type { Command } from 'commander';

/** What the help of each command shows after its options: examples, by the names of the command. */
const examples: Readonly<Record<string, readonly string[]>> = {
  load: [
    'cadastre load --source TEST objects.txt',
    'cadastre load --source EXAMPLE-GRS --replace --wait --rejects rejects.txt dump.gz',
    'cadastre load --source TEST --json objects.txt',
    'curl --fail --silent https://example.net/dump.gz | cadastre load --source EXAMPLE-GRS --replace -',
  ],
  export: [
    'cadastre export --source TEST --output all.txt',
    'cadastre export --source TEST --type route route6 --filtered | gzip > routes.gz',
    'cadastre export --source TEST --as-of 2027-01-31 --output january.txt',
  ],
  'api-key create': ['cadastre api-key create --user alice@example.net --name laptop --expires 2027-01-31'],
  'api-key revoke': ['cadastre api-key revoke XTVNBCFHJK2346789PQRWXYZ'],
  'api-key list': ['cadastre api-key list --user alice@example.net --json'],
  'tag add': ['cadastre tag add reviewed person/AB1-TEST "inetnum/192.0.2.0 - 192.0.2.255" --source TEST'],
  'tag remove': ['cadastre tag remove reviewed person/AB1-TEST --source TEST'],
  'tag list': ['cadastre tag list reviewed --source TEST', 'cadastre tag list --limit 100 --json'],
  'email mark': ['cadastre email mark noc@example.net --as undeliverable'],
  'email unmark': ['cadastre email unmark noc@example.net --as undeliverable'],
  'email list': ['cadastre email list --as excluded --json'],
  'events list': ['cadastre events list --state failed --limit 20'],
  'events show': ['cadastre events show 4711 --json'],
  'events resend': ['cadastre events resend 4711 4712'],
  'mail test': ['cadastre mail test noc@example.net', 'cadastre mail test noc@example.net --json'],
  'mail list': ['cadastre mail list --limit 20'],
  'mail show': ['cadastre mail show', 'cadastre mail show test.42@localhost'],
  'webhooks list': ['cadastre webhooks list --state disabled'],
  'webhooks show': ['cadastre webhooks show WTVNBCFHJK2346789PQRWXYZ'],
  'webhooks attempts': ['cadastre webhooks attempts WTVNBCFHJK2346789PQRWXYZ --json'],
  'webhooks test': ['cadastre webhooks test WTVNBCFHJK2346789PQRWXYZ'],
  'webhooks resend': [
    'cadastre webhooks resend WTVNBCFHJK2346789PQRWXYZ --serial 4711',
    'cadastre webhooks resend WTVNBCFHJK2346789PQRWXYZ --after 4700',
  ],
  'webhooks disable': ['cadastre webhooks disable WTVNBCFHJK2346789PQRWXYZ'],
  'webhooks enable': ['cadastre webhooks enable WTVNBCFHJK2346789PQRWXYZ'],
  'block add': ['cadastre block add 192.0.2.0/24 --reason "harvests e-mail addresses" --until 2027-01-31'],
  'block remove': ['cadastre block remove 192.0.2.0/24'],
  'block list': ['cadastre block list --json'],
  'history erase': ['cadastre history erase person/AB1-TEST --source TEST --reason "request 4711"'],
  generate: ['cadastre generate --objects 100000 --seed 3 --output registry.txt'],
  'index status': ['cadastre index status --json'],
  'index rebuild': ['cadastre index rebuild --wait', 'cadastre index rebuild EXAMPLE-GRS --wait'],
  'mirror keys create': ['cadastre mirror keys create --folder keys > public-key.pem'],
  'mirror keys rotate': ['cadastre mirror keys rotate --folder keys'],
  'mirror keys show': [
    'cadastre mirror keys show --folder keys',
    'cadastre mirror keys show --public > public-key.pem',
    'cadastre mirror keys show --folder keys --kubernetes mirror-keys | kubectl apply -f -',
  ],
  'mirror status': ['cadastre mirror status --json'],
  'mirror reset': ['cadastre mirror reset EXAMPLE-GRS'],
  status: ['cadastre status --json'],
};

const environment = `
Environment:
  CADASTRE_DATA_DIR          data of a registry that "make run" started (default: .data of the current folder)
  CADASTRE_OBJECTS_ADDRESS   gRPC address of the objects service of another registry, host:port or unix:/path
  CADASTRE_AUTH_ADDRESS      of the auth service: needed for api-key and block
  CADASTRE_SEARCH_ADDRESS    of the search service: needed for index; status and load --wait ask it if it is set
  CADASTRE_SEARCH_ANY_ADDRESS
                             of replicas of search that may not be ready: index asks them when none is ready; their
                             certificates have the name in CADASTRE_SEARCH_ADDRESS
  CADASTRE_MIRROR_ADDRESS    of the mirror service: needed for mirror status and mirror reset
  CADASTRE_EVENTS_ADDRESS    of the events service: needed for mail test
  CADASTRE_MIRROR_KEYS_DIR   folder of the keys that mirror keys makes and shows
  CADASTRE_TLS_CERT_FILE, CADASTRE_TLS_KEY_FILE, CADASTRE_TLS_CA_FILE
                             certificate, private key and CA certificates (PEM) for mutual TLS; all or none
  CADASTRE_TOKEN_FILE        token (CADASTRE_RPC_TOKENS_FILE of the services has its hash) instead of certificate and
                             private key; CADASTRE_TLS_CA_FILE is needed`;

const exitCodes = `
Exit codes:
  0  success
  1  load: some objects were rejected, the others are stored
  2  failure, or a replacing load that deleted nothing; standard error says why
  130, 143  interrupted by Ctrl-C or SIGTERM`;

/** Adds examples, environment and exit codes to the help of all commands that do something. */
export function addManual(command: Command, names: readonly string[] = []): void {
  if (names.length === 0) command.addHelpText('after', `${environment}\n${exitCodes}`);
  const own = examples[names.join(' ')];
  if (own !== undefined) {
    command.addHelpText(
      'after',
      `\nExamples:\n${own.map((one) => `  ${one}`).join('\n')}\n${environment}\n${exitCodes}`,
    );
  }
  for (const one of command.commands) addManual(one, [...names, one.name()]);
}
