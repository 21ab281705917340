import { webhookPayloads, webhookSignatures, webhookStates } from '@cadastre/changes';
import {
  type OwnedWebhook,
  type ResendWebhookRequest,
  type Webhook,
  WebhookServiceService,
} from '@cadastre/proto/objects';
import type { RpcClient } from '@cadastre/service';
import { type Command, Option } from 'commander';
import type { Run } from '../action.js';
import { withClient } from '../clients.js';
import { CommandFailure } from '../failure.js';
import { type Io, say } from '../io.js';
import {
  asList,
  asReport,
  inPages,
  type ListOptions,
  nameIn,
  printFacts,
  printJson,
  printList,
  type ReportOptions,
} from './results.js';

/** Of any account. */
const anybody = { accountId: '' } as const;

/** Adds `cadastre webhooks list|show|attempts|test|resend|disable|enable`. */
export function addWebhooksCommands(program: Command, io: Io, run: Run): void {
  const webhooks = program.command('webhooks').description('Show and manage the webhooks of all accounts.');
  const ofOne = (name: string, description: string) =>
    webhooks.command(name).description(description).argument('<id>', 'identifier of the webhook');
  asList(webhooks.command('list'))
    .description('List the webhooks of all accounts, in the order of their identifiers.')
    .addOption(new Option('--state <state>', 'only those in this state').choices(Object.keys(webhookStates)))
    .action(run((options: ListWebhooksOptions) => list(io, options)));
  asReport(ofOne('show', 'Show one webhook.')).action(
    run((id: string, options: ReportOptions) => show(io, id, options)),
  );
  asList(ofOne('attempts', 'List the newest attempts to deliver an event, newest first.')).action(
    run((id: string, options: ListOptions) => listAttempts(io, id, options)),
  );
  ofOne('test', 'Send a test event.').action(run((id: string) => deliver(io, id, { $case: 'serial', value: 0n })));
  ofOne('resend', 'Deliver one change again, or every change after a serial.')
    .addOption(new Option('--serial <serial>', 'the change with this serial, once').argParser(serialOf))
    .addOption(new Option('--after <serial>', 'every change after this serial').argParser(serialOf).conflicts('serial'))
    .action(run((id: string, options: ResendOptions) => resend(io, id, options)));
  ofOne('disable', 'Disable a webhook; its owner gets a mail, and cannot enable it.').action(
    run((id: string) => setDisabled(io, id, true)),
  );
  ofOne('enable', 'Enable a webhook: it continues after its serial when its URL has accepted a test event.').action(
    run((id: string) => setDisabled(io, id, false)),
  );
}

interface ListWebhooksOptions extends ListOptions {
  state?: keyof typeof webhookStates;
}

interface ResendOptions {
  serial?: bigint;
  after?: bigint;
}

function serialOf(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new CommandFailure(`"${text}" is no serial`);
  return BigInt(text);
}

function withWebhooks<R>(io: Io, use: (client: RpcClient<typeof WebhookServiceService>) => Promise<R>): Promise<R> {
  return withClient(io, 'objects', WebhookServiceService, use);
}

async function list(io: Io, { state, ...options }: ListWebhooksOptions): Promise<void> {
  await withWebhooks(io, (client) => {
    const records = inPages('', async (after) => {
      const { webhooks, next } = await client.listAllWebhooks({ after, limit: 0 });
      return { entries: webhooks.map(recordOf).filter((one) => state === undefined || one.state === state), next };
    });
    return printList(io, listColumns, records, options);
  });
}

function recordOf({ webhook, accountName }: OwnedWebhook) {
  return {
    id: webhook!.id,
    account: accountName,
    state: nameIn(webhookStates, webhook!.state),
    source: webhook!.properties?.source ?? '',
    serial: webhook!.serial,
    failures: webhook!.failures,
    url: webhook!.properties?.url ?? '',
  };
}

async function show(io: Io, id: string, { json }: ReportOptions): Promise<void> {
  const { webhook } = await withWebhooks(io, (client) => client.getWebhook({ ...anybody, id }));
  (json ? printJson : printFacts)(io, factsOf(webhook!));
}

function factsOf({ properties: of, ...webhook }: Webhook) {
  const { types = [], operations = [], maintainers = [], within = [], key = '' } = of?.filter ?? {};
  return {
    id: webhook.id,
    url: of?.url ?? null,
    description: of?.description || null,
    source: of?.source ?? null,
    types,
    operations,
    maintainers,
    within,
    key: key || null,
    payload: of ? nameIn(webhookPayloads, of.payload) : null,
    signature: of ? nameIn(webhookSignatures, of.signature) : null,
    state: nameIn(webhookStates, webhook.state),
    reason: webhook.reason || null,
    created: webhook.created ?? null,
    serial: webhook.serial,
    failures: webhook.failures,
    failingSince: webhook.failingSince ?? null,
    nextAttempt: webhook.due ?? null,
    publicKey: webhook.publicKey || null,
  };
}

async function listAttempts(io: Io, id: string, options: ListOptions): Promise<void> {
  const { attempts } = await withWebhooks(io, (client) => client.listWebhookAttempts({ ...anybody, id }));
  const records = attempts.map(({ eventId, instant, status, durationMs, error, response }) => ({
    event: eventId,
    time: instant ?? null,
    status: status || null,
    milliseconds: durationMs,
    error: error || null,
    response: response || null,
  }));
  await printList(io, attemptColumns, records, options);
}

async function resend(io: Io, id: string, { serial, after }: ResendOptions): Promise<void> {
  if (after !== undefined) return deliver(io, id, { $case: 'afterSerial', value: after });
  // Serial 0 is a test event.
  if (serial) return deliver(io, id, { $case: 'serial', value: serial });
  throw new CommandFailure('--serial or --after is required: the serial of a change');
}

async function deliver(io: Io, id: string, what: NonNullable<ResendWebhookRequest['what']>): Promise<void> {
  await withWebhooks(io, (client) => client.resendWebhook({ ...anybody, id, what }));
  say(io, `Requested; "cadastre webhooks attempts ${id}" shows the result.`);
}

async function setDisabled(io: Io, id: string, disabled: boolean): Promise<void> {
  const state = await withWebhooks(io, async (client) => {
    const { webhook } = await client.getWebhook({ ...anybody, id });
    const properties = { ...webhook!.properties!, disabled };
    return (await client.updateWebhook({ ...anybody, id, properties })).webhook!.state;
  });
  say(io, `${id} is ${nameIn(webhookStates, state)}`);
}

const listColumns = ['id', 'account', 'state', 'source', 'serial', 'failures', 'url'] as const;

const attemptColumns = ['event', 'time', 'status', { name: 'milliseconds', head: 'MS' }, 'error', 'response'] as const;
