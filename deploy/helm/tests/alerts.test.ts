import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isInstalled, isSkipped } from '../../../libs/service/tests/testing.js';
import { named } from './manifest.js';
import { render } from './render.js';

const missing = ['promtool'].filter((program) => !isInstalled(program));

interface Rule {
  alert: string;
  labels: Record<string, string>;
  annotations: { runbook_url: string };
}

interface Case {
  alert: string;
  /** Samples, one value for each step, in the notation of promtool: `1+2x30` is 1, 3, 5, ... */
  series: Record<string, string>;
  /** Default one minute. */
  step?: string;
  /** Hours after which the alert must fire; default one. */
  hours?: number;
  /** Labels of the alert besides its severity. */
  labels?: Record<string, string>;
  summary: string;
  /** Samples with which it must not fire. */
  quiet: Record<string, string>;
}

const release = 'namespace="inside",release="registry"';
const services = ['gateway-operations', 'objects', 'auth', 'search', 'events', 'whois', 'mirror'];
/** Every service is up, except one. */
const upExcept = (name: string, value?: string) =>
  Object.fromEntries(
    services
      .filter((service) => service !== name || value !== undefined)
      .map((service) => [`up{${release},service="registry-cadastre-${service}"}`, service === name ? value! : '1x100']),
  );
const requests = (status: string) => `cadastre_http_requests_total{${release},status="${status}"}`;
const calls = (outcome: string) => `cadastre_rpc_server_seconds_count{${release},method="M",outcome="${outcome}"}`;
const bucket = (le: string) => `cadastre_http_request_seconds_bucket{${release},route="R",le="${le}"}`;
const drill = 'namespace="inside",cronjob="registry-cadastre-restore-drill"';
const volume = (what: string) =>
  `kubelet_volume_stats_${what}_bytes{namespace="inside",persistentvolumeclaim="data-registry-cadastre-postgresql-0"}`;
const job = (state: string, name: string) =>
  `kube_job_status_${state}{namespace="inside",job_name="registry-cadastre-${name}"}`;
const indexAt = ({ serial, lag }: { serial: string; lag: string }) => ({
  [`cadastre_search_index_serial{${release},source="TEST"}`]: serial,
  [`cadastre_search_index_lag_serials{${release},source="TEST"}`]: lag,
});
/** So many in each minute. */
const counted = (seriesOf: (outcome: string) => string, perMinute: Record<string, number>) =>
  Object.fromEntries(Object.entries(perMinute).map(([outcome, count]) => [seriesOf(outcome), `0+${count}x100`]));
const mailsOf = (outcome: string) => `cadastre_mails_total{${release},outcome="${outcome}"}`;
const mails = (perMinute: Record<'sent' | 'retried' | 'failed', number>) => counted(mailsOf, perMinute);
const deliveries = (perMinute: Record<'delivered' | 'failed', number>) =>
  counted((outcome) => `cadastre_webhook_deliveries_total{${release},outcome="${outcome}"}`, perMinute);
const replicaReads = (of: Record<'replica' | 'behind' | 'failed' | 'paused', number>) =>
  Object.fromEntries(
    Object.entries(of).map(([outcome, perMinute]) => [
      `cadastre_replica_reads_total{${release},service="search",outcome="${outcome}"}`,
      `0+${perMinute}x100`,
    ]),
  );
const backup = 'cnpg_collector_last_available_backup_timestamp{namespace="inside",cluster="C"}';

const published = (what: string, labels = '') =>
  `cadastre_mirror_publication_${what}{${release},source="TEST"${labels && `,${labels}`}}`;
const signingKey = (place: 'active' | 'announced') =>
  `cadastre_mirror_signing_key_${place}_timestamp_seconds{${release}}`;
const lease = (pod: string) => `cadastre_mirror_lease_held{${release},pod="${pod}",job="publish TEST"}`;
const mirror = (what: string, labels = '') =>
  `cadastre_mirror_${what}{${release},source="A-GRS"${labels && `,${labels}`}}`;

const probed = (sample: string, dialect: string, prober = 'a') =>
  `${sample}{namespace="inside",job="registry-cadastre-probes",dialect="${dialect}",instance="${prober}"}`;
/** Every probe succeeds, except those of one dialect. */
const probesExcept = (dialect: string, value?: string) =>
  Object.fromEntries(
    ['rest', 'rdap', 'whois']
      .filter((name) => name !== dialect || value !== undefined)
      .map((name) => [probed('probe_success', name), name === dialect ? value! : '1x100']),
  );

const nrtmRefusals = (reason: string) => `cadastre_whois_nrtm_refusals_total{${release},pod="p",reason="${reason}"}`;

const cases: Case[] = [
  {
    alert: 'CadastreDown',
    series: upExcept('objects', '0x100'),
    labels: { service: 'registry-cadastre-objects' },
    summary: 'Prometheus cannot read the metrics of any pod of registry-cadastre-objects, or there is none.',
    quiet: { ...upExcept('objects', '1x100'), [`up{${release},service="registry-cadastre-objects",pod="b"}`]: '0x100' },
  },
  ...services.map((service) => ({
    alert: 'CadastreDown',
    series: upExcept(service),
    labels: { service: `registry-cadastre-${service}`, namespace: 'inside', release: 'registry' },
    summary: `Prometheus cannot read the metrics of any pod of registry-cadastre-${service}, or there is none.`,
    quiet: upExcept(service, '1x100'),
  })),
  {
    alert: 'CadastreProbeFails',
    series: probesExcept('rdap', '0x100'),
    labels: { dialect: 'rdap' },
    summary: 'A client outside gets no correct answer by rdap, or nobody sends requests to find out.',
    quiet: { ...probesExcept('rdap', '0x100'), [probed('probe_success', 'rdap', 'b')]: '1x100' },
  },
  {
    alert: 'CadastreProbeFails',
    series: probesExcept('whois'),
    labels: { dialect: 'whois', namespace: 'inside', job: 'registry-cadastre-probes' },
    summary: 'A client outside gets no correct answer by whois, or nobody sends requests to find out.',
    quiet: probesExcept('whois', '1x57 0x2 1x50'),
  },
  {
    alert: 'CadastreProbedCertificateEnds',
    series: { [probed('probe_ssl_earliest_cert_expiry', 'rdap')]: '172800x200' },
    hours: 2,
    labels: { dialect: 'rdap' },
    summary: 'The certificate that clients of rdap see expires in 1d 22h 0m 0s.',
    quiet: { [probed('probe_ssl_earliest_cert_expiry', 'rdap')]: '999999x200' },
  },
  {
    alert: 'CadastreRestarts',
    series: { [`process_start_time_seconds{${release},pod="p"}`]: '1x39 100x4 200x4 300x20' },
    labels: { namespace: 'inside', release: 'registry', pod: 'p' },
    summary: 'p has restarted 3 times in half an hour.',
    quiet: { [`process_start_time_seconds{${release},pod="p"}`]: '1x39 100x4 200x40' },
  },
  {
    alert: 'CadastreCheckFails',
    series: { [`cadastre_check_up{${release},service="auth",check="database",pod="p"}`]: '0x100' },
    labels: { service: 'auth', check: 'database' },
    summary: 'auth is ready in no pod: database fails.',
    quiet: {
      [`cadastre_check_up{${release},service="auth",check="database",pod="p"}`]: '0x100',
      [`cadastre_check_up{${release},service="auth",check="database",pod="q"}`]: '1x100',
    },
  },
  {
    alert: 'CadastreCheckFailsSomewhere',
    series: { [`cadastre_check_up{${release},service="auth",check="database",pod="p"}`]: '0x100' },
    labels: { service: 'auth', check: 'database', pod: 'p' },
    summary: 'p is not ready: database fails.',
    quiet: { [`cadastre_check_up{${release},service="auth",check="database",pod="p"}`]: '1x55 0x5' },
  },
  {
    alert: 'CadastreErrors',
    series: { [requests('200')]: '0+98x100', [requests('503')]: '0+2x100' },
    summary: '2% of the responses are 5xx.',
    quiet: { [requests('200')]: '0+999x100', [requests('503')]: '0+1x100' },
  },
  {
    alert: 'CadastreSlow',
    series: {
      [bucket('1')]: '0x100',
      [bucket('2')]: '0+60x100',
      [bucket('+Inf')]: '0+60x100',
      [`cadastre_http_requests_total{${release},route="R"}`]: '0+60x100',
    },
    labels: { route: 'R' },
    summary: 'One in a hundred requests of route R takes more than 1.99s.',
    quiet: {
      [bucket('1')]: '0x100',
      [bucket('2')]: '0+1x100',
      [bucket('+Inf')]: '0+1x100',
      [`cadastre_http_requests_total{${release},route="R"}`]: '0+1x100',
    },
  },
  {
    alert: 'CadastreCallsFail',
    series: { [calls('ok')]: '0+90x100', [calls('unavailable')]: '0+10x100' },
    labels: { method: 'M' },
    summary: '10% of the calls of M fail.',
    quiet: { [calls('ok')]: '0+90x100', [calls('not-found')]: '0+10x100' },
  },
  {
    alert: 'CadastreIndexBehind',
    series: { [`cadastre_search_index_lag_seconds{${release},source="TEST"}`]: '120x100' },
    labels: { source: 'TEST' },
    summary: 'The search index of TEST is 2m 0s behind.',
    quiet: { [`cadastre_search_index_lag_seconds{${release},source="TEST"}`]: '6x100' },
  },
  ...[
    { series: { serial: '5000x100', lag: '2000x100' }, quiet: { serial: '5000x100', lag: '900x100' }, lacks: 2000 },
    { series: { serial: '0x100', lag: '3x100' }, quiet: { serial: '0x100', lag: '0x100' }, lacks: 3 },
  ].map(({ series, quiet, lacks }) => ({
    alert: 'CadastreIndexIncomplete',
    series: indexAt(series),
    labels: { source: 'TEST' },
    summary: `The search index of TEST lacks ${lacks} changes: it is missing, or far behind.`,
    quiet: indexAt(quiet),
  })),
  {
    alert: 'CadastreReplaceUnfinished',
    series: { [`cadastre_replacing_since_seconds{${release},source="TEST"}`]: '-7200x100' },
    labels: { source: 'TEST' },
    summary:
      'A load with --replace of TEST has not ended for 3h 0m 0s: readers see a mixture of two states. Load with --replace again.',
    quiet: { [`cadastre_replacing_since_seconds{${release},source="TEST"}`]: '0x100' },
  },
  {
    alert: 'CadastreFollowerLost',
    series: { [`cadastre_feed_followers_lost_total{${release},source="TEST",caller="mirror"}`]: '0x50 1x50' },
    labels: { source: 'TEST', caller: 'mirror' },
    summary: 'mirror needs changes of TEST that the feed has forgotten.',
    quiet: { [`cadastre_feed_followers_lost_total{${release},source="TEST",caller="mirror"}`]: '1x100' },
  },
  ...[
    { replica: 30, behind: 60, failed: 0, paused: 10 },
    { replica: 30, behind: 0, failed: 6, paused: 64 },
  ].map((reads) => ({
    alert: 'CadastreReadReplicaUnused',
    series: replicaReads(reads),
    labels: { service: 'search' },
    summary: 'The primary answers 70% of the reads of search, because its read replicas are behind or fail.',
    quiet: replicaReads({ replica: 60, behind: 30, failed: 1, paused: 9 }),
  })),
  {
    alert: 'CadastreMailsWait',
    series: { [`cadastre_notifications_oldest_seconds{${release}}`]: '0+60x100' },
    summary: 'The oldest unsent mail waits for 1h 0m 0s.',
    quiet: { [`cadastre_notifications_oldest_seconds{${release}}`]: '0+60x43 0x60' },
  },
  {
    alert: 'CadastreMailsFail',
    series: mails({ sent: 3, retried: 6, failed: 1 }),
    summary: 'The mail server does not accept 70% of the mails.',
    quiet: mails({ sent: 6, retried: 3, failed: 1 }),
  },
  {
    alert: 'CadastreMailsFail',
    series: mails({ sent: 0, retried: 1, failed: 0 }),
    summary: 'The mail server does not accept 100% of the mails.',
    // One address whose server is unavailable.
    quiet: { [mailsOf('retried')]: '0x45 1 2 2 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3' },
  },
  {
    alert: 'CadastreMailsGivenUp',
    series: mails({ sent: 3, retried: 0, failed: 1 }),
    summary: '60 mails were given up in an hour.',
    quiet: mails({ sent: 9, retried: 0, failed: 1 }),
  },
  {
    alert: 'CadastreWebhooksFail',
    series: deliveries({ delivered: 1, failed: 19 }),
    summary: '95% of the requests to webhooks fail.',
    quiet: deliveries({ delivered: 4, failed: 16 }),
  },
  {
    alert: 'CadastreWebhooksWait',
    series: { [`cadastre_webhooks_waiting_seconds{${release}}`]: '600x100' },
    labels: {},
    summary: 'A webhook waits for an events service for 10m 0s.',
    quiet: { [`cadastre_webhooks_waiting_seconds{${release}}`]: '1x100' },
  },
  {
    alert: 'CadastrePoolExhausted',
    series: { [`cadastre_postgres_connections{${release},service="objects",pool="read",state="waiting"}`]: '3x100' },
    labels: { service: 'objects', pool: 'read' },
    summary: 'Requests of objects wait for a connection of pool read.',
    quiet: { [`cadastre_postgres_connections{${release},service="objects",pool="read",state="busy"}`]: '3x100' },
  },
  {
    alert: 'CadastreSaturated',
    series: { [`nodejs_eventloop_lag_p99_seconds{${release},service="auth",pod="p"}`]: '0.5x100' },
    labels: { service: 'auth' },
    summary: 'Every pod of auth uses a full CPU; add pods.',
    quiet: {
      [`nodejs_eventloop_lag_p99_seconds{${release},service="auth",pod="p"}`]: '0.5x100',
      [`nodejs_eventloop_lag_p99_seconds{${release},service="auth",pod="q"}`]: '0.02x100',
    },
  },
  {
    alert: 'CadastreInternalCertificateEnds',
    series: { [`cadastre_rpc_certificate_not_after_seconds{${release},service="auth"}`]: '172800x200' },
    hours: 2,
    labels: { service: 'auth' },
    summary: 'The certificate of auth expires in 1d 22h 0m 0s.',
    quiet: { [`cadastre_rpc_certificate_not_after_seconds{${release},service="auth"}`]: '999999x200' },
  },
  {
    alert: 'CadastreCertificateEnds',
    series: { [`cadastre_https_certificate_expiry_timestamp_seconds{${release}}`]: '172800x200' },
    hours: 2,
    summary: 'The public certificate expires in 1d 22h 0m 0s.',
    quiet: { [`cadastre_https_certificate_expiry_timestamp_seconds{${release}}`]: '999999x200' },
  },
  {
    alert: 'CadastreWhoisCertificateEnds',
    series: { [`cadastre_whois_certificate_expiry_timestamp_seconds{${release}}`]: '172800x200' },
    hours: 2,
    summary: 'The certificate of port 43 over TLS expires in 1d 22h 0m 0s.',
    quiet: { [`cadastre_whois_certificate_expiry_timestamp_seconds{${release}}`]: '999999x200' },
  },
  {
    alert: 'CadastreCertificateUnusable',
    series: { [`cadastre_https_certificate_failures_total{${release},pod="p"}`]: '0+1x100' },
    labels: { pod: 'p' },
    summary: 'p cannot use its new certificate and keeps the old one.',
    quiet: { [`cadastre_https_certificate_failures_total{${release},pod="p"}`]: '7x100' },
  },
  {
    alert: 'CadastreRdapFilesUnusable',
    series: { [`cadastre_rdap_files_failures_total{${release},pod="p"}`]: '0+1x100' },
    labels: { pod: 'p' },
    summary: 'p cannot use new bootstrap files of RDAP and keeps the old ones.',
    quiet: { [`cadastre_rdap_files_failures_total{${release},pod="p"}`]: '7x100' },
  },
  {
    alert: 'CadastreLimitsNotShared',
    series: { [`cadastre_limits_shared{${release}}`]: '0x100' },
    summary: 'Redis is unavailable; each gateway counts query limits separately.',
    quiet: { [`cadastre_limits_shared{${release}}`]: '1x100' },
  },
  {
    alert: 'CadastreConnectionsDropped',
    series: { [`cadastre_http_connections_dropped_total{${release},reason="port"}`]: '0+1x100' },
    summary: 'More clients connect than the gateways accept; add pods, or check who they are.',
    quiet: { [`cadastre_http_connections_dropped_total{${release},reason="client"}`]: '0+1x100' },
  },
  {
    alert: 'CadastreRoaPayloadsOld',
    series: { [`cadastre_search_roa_age_seconds{${release}}`]: '28800x100' },
    summary: 'The validated ROA payloads are 8h 0m 0s old.',
    quiet: { [`cadastre_search_roa_age_seconds{${release}}`]: '600x100' },
  },
  {
    alert: 'CadastreRoaPayloadsOld',
    series: {
      [`cadastre_search_roa_age_seconds{${release},service="search"}`]: '600x100',
      [`cadastre_whois_roa_age_seconds{${release},service="whois"}`]: '28800x100',
    },
    summary: 'The validated ROA payloads are 8h 0m 0s old.',
    quiet: { [`cadastre_whois_roa_age_seconds{${release},service="whois"}`]: '600x100' },
  },
  {
    alert: 'CadastreWhoisBehind',
    series: {
      [`cadastre_whois_lag_seconds{${release},pod="p",source="TEST"}`]: '120x100',
      [`cadastre_whois_lag_seconds{${release},pod="q",source="TEST"}`]: '1x100',
    },
    labels: { pod: 'p', source: 'TEST' },
    summary: 'p makes prefix lists of TEST that are 2m 0s old.',
    quiet: { [`cadastre_whois_lag_seconds{${release},pod="p",source="TEST"}`]: '6x100' },
  },
  {
    alert: 'CadastreWhoisSetIndexFull',
    series: {
      [`cadastre_whois_set_index_ratio{${release},pod="p"}`]: '0.85x100',
      [`cadastre_whois_set_index_ratio{${release},pod="q"}`]: '0.1x100',
    },
    labels: { pod: 'p' },
    summary: 'The sets in p take 85% of the memory that they may.',
    quiet: { [`cadastre_whois_set_index_ratio{${release},pod="p"}`]: '0.75x100' },
  },
  {
    alert: 'CadastreWhoisAnswersFail',
    series: { [`cadastre_whois_faults_total{${release},pod="p"}`]: '0+2x100' },
    summary: 'Port 43 closed 30 connections in 15 minutes, because an answer failed.',
    quiet: { [`cadastre_whois_faults_total{${release},pod="p"}`]: '0+1x100' },
  },
  {
    alert: 'CadastreWhoisConnectionsDropped',
    series: { [`cadastre_whois_dropped_connections_total{${release},reason="port"}`]: '0+1x100' },
    summary: 'More clients connect to port 43 than it accepts; add pods, or check who they are.',
    quiet: { [`cadastre_whois_dropped_connections_total{${release},reason="client"}`]: '0+1x100' },
  },
  {
    alert: 'CadastrePublicationBehind',
    series: { [published('behind_seconds')]: '0+60x100' },
    labels: { source: 'TEST' },
    summary: 'TEST has changes that were not published for 1h 0m 0s.',
    quiet: { [published('behind_seconds')]: '1 61 1 61 1x100' },
  },
  {
    alert: 'CadastrePublicationOld',
    series: { [published('notification_age_seconds')]: '0+60x300' },
    hours: 4,
    labels: { source: 'TEST' },
    summary: 'The notification file of TEST is 4h 0m 0s old: after a day, followers distrust it.',
    // One renewal failed.
    quiet: { [published('notification_age_seconds')]: '0+60x120 0+60x180' },
  },
  {
    alert: 'CadastrePublicationFails',
    series: { [published('failures_total', 'step="round"')]: '0+1x100' },
    labels: { source: 'TEST' },
    summary: 'Publishing TEST failed 15 times in 15 minutes.',
    quiet: { [published('failures_total', 'step="round"')]: '0x50 1 2 2x100' },
  },
  ...['_x30 1x70', '1x30 2x70'].map((values) => ({
    alert: 'CadastrePublicationStartedAnew',
    series: { [published('sessions_total', 'reason="policy"')]: values },
    labels: { source: 'TEST', reason: 'policy' },
    summary: 'TEST is published in a new session (policy): all followers load it as a whole.',
    quiet: {
      [published('sessions_total', 'reason="first"')]: '_x30 1x70',
      [published('sessions_total', 'reason="policy"')]: '1x100',
    },
  })),
  ...(['active', 'announced'] as const).map((place) => ({
    alert: 'CadastreSigningKeyOld',
    series: { [signingKey(place)]: '0x400' },
    step: '1d',
    hours: 24 * 360,
    summary: 'A step of the rotation of the signing key of publications is due.',
    quiet: { [signingKey(place)]: `${(360 - { active: 340, announced: 7 }[place]) * 86_400}x400` },
  })),
  {
    alert: 'CadastreDumpOld',
    series: { [`cadastre_mirror_dump_time_seconds{${release},source="TEST"}`]: '0x100' },
    step: '1h',
    hours: 30,
    labels: { source: 'TEST' },
    summary: 'The newest dump of TEST is 1d 6h 0m 0s old.',
    quiet: { [`cadastre_mirror_dump_time_seconds{${release},source="TEST"}`]: '86400x100' },
  },
  ...['ahead', 'forgotten'].map((reason) => ({
    alert: 'CadastreNrtmFollowerLost',
    series: { [nrtmRefusals(reason)]: '0+1x100' },
    labels: { reason },
    summary: `A follower of NRTM version 3 cannot continue (${reason}): its copy needs a dump.`,
    quiet: { [nrtmRefusals(reason)]: '0x40 1x100', [nrtmRefusals('current')]: '0+1x100' },
  })),
  {
    alert: 'CadastreNrtmFull',
    series: { [nrtmRefusals('full')]: '0+1x100' },
    labels: { pod: 'p' },
    summary: 'p refuses followers of NRTM version 3: all its places are taken.',
    quiet: { [nrtmRefusals('full')]: '0x45 1x100', [nrtmRefusals('second')]: '0+1x100' },
  },
  {
    alert: 'CadastreMirrorJobIdle',
    series: { [lease('p')]: '0x100', [lease('q')]: '0x100' },
    labels: { job: 'publish TEST' },
    summary: 'No pod of mirror does the job publish TEST.',
    quiet: { [lease('p')]: '0x100', [lease('q')]: '1x57 0 1x50' },
  },
  {
    alert: 'CadastreMirrorRefused',
    series: { [mirror('refused')]: '1x100' },
    labels: { source: 'A-GRS' },
    summary: 'The registry of A-GRS published what must not be applied; readers keep the last good state.',
    quiet: { [mirror('refused')]: '0x57 1x2 0x50' },
  },
  {
    alert: 'CadastreMirrorBehind',
    series: {
      [mirror('seconds_since_success')]: '0+60x100',
      [mirror('faults_total', 'kind="transient"')]: '0+0.2x100',
    },
    labels: { source: 'A-GRS' },
    summary: 'A-GRS was last known to be current 1h 0m 0s ago.',
    // A registry with a daily dump.
    quiet: { [mirror('seconds_since_success')]: '0+600x100', [mirror('faults_total', 'kind="transient"')]: '3x100' },
  },
  {
    alert: 'CadastreMirrorBehind',
    series: { [mirror('seconds_since_success')]: '0+3600x100' },
    labels: { source: 'A-GRS' },
    summary: 'A-GRS was last known to be current 2d 12h 0m 0s ago.',
    quiet: { [mirror('seconds_since_success')]: '0+1200x100' },
  },
  {
    alert: 'CadastreFeedBroken',
    series: { [`cadastre_change_feed_followed{${release},pod="p",source="TEST"}`]: '0x100' },
    labels: { pod: 'p', source: 'TEST' },
    summary: 'p does not follow the changes of TEST and answers nothing from its cache.',
    quiet: { [`cadastre_change_feed_followed{${release},pod="p",source="TEST"}`]: '1x58 0x1 1x40' },
  },
  {
    alert: 'CadastreBlocksOutOfDate',
    series: { [`cadastre_block_list_followed{${release},pod="p"}`]: '0x100' },
    labels: { pod: 'p' },
    summary: "p does not follow the operator's blocks and asks auth about every credential.",
    quiet: { [`cadastre_block_list_followed{${release},pod="p"}`]: '1x100' },
  },
  ...['failed', 'active'].map((state) => ({
    alert: 'CadastreMigrationFails',
    series: { [job(state, 'migrate-objects')]: '1x100' },
    labels: { job_name: 'registry-cadastre-migrate-objects' },
    summary: 'registry-cadastre-migrate-objects has not completed.',
    quiet: { [job(state, 'migrate-objects')]: '0x50 1x10 0x40' },
  })),
  {
    alert: 'CadastreVolumeFull',
    series: { [volume('available')]: '10x100', [volume('capacity')]: '100x100' },
    labels: { persistentvolumeclaim: 'data-registry-cadastre-postgresql-0' },
    summary: '10% of data-registry-cadastre-postgresql-0 are free.',
    quiet: { [volume('available')]: '20x100', [volume('capacity')]: '100x100' },
  },
  {
    alert: 'CadastreArchiveFails',
    series: { [`cadastre_wal_archive_failing{${release}}`]: '1x100' },
    summary: 'PostgreSQL cannot archive WAL; its disk fills, and a restore would lose the newest writes.',
    quiet: { [`cadastre_wal_archive_failing{${release}}`]: '0x100' },
  },
  {
    alert: 'CadastreBackupOld',
    series: { [backup]: '1x50' },
    step: '1h',
    hours: 40,
    labels: { cluster: 'C' },
    summary: 'The newest backup is 1d 15h 59m 59s old.',
    quiet: { [backup]: '0x50' },
  },
  {
    alert: 'CadastreBackupOld',
    series: { 'pgbackrest_backup_since_last_completion_seconds{namespace="inside",stanza="S"}': '144000x100' },
    labels: { stanza: 'S' },
    summary: 'The newest backup is 1d 16h 0m 0s old.',
    quiet: {
      'pgbackrest_backup_since_last_completion_seconds{namespace="inside",stanza="S",backup_type="full"}': '144000x100',
      'pgbackrest_backup_since_last_completion_seconds{namespace="inside",stanza="S",backup_type="diff"}': '7200x100',
    },
  },
  {
    alert: 'CadastreRestoreDrillFails',
    series: { [job('failed', 'restore-drill-1')]: '1x100' },
    summary: 'The restore drill failed, or has not succeeded for 40 days.',
    quiet: { [job('failed', 'restore-drill-1')]: '0x100' },
  },
  {
    alert: 'CadastreRestoreDrillFails',
    series: { [`kube_cronjob_status_last_successful_time{${drill}}`]: '1x1000' },
    step: '1h',
    hours: 980,
    summary: 'The restore drill failed, or has not succeeded for 40 days.',
    quiet: { [`kube_cronjob_status_last_successful_time{${drill}}`]: '1728000x1000' },
  },
];

describe.skipIf(isSkipped('the alerts in Prometheus', missing))('in Prometheus', () => {
  let folder: string;
  let rules: Rule[];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cadastre-alerts-'));
    const manifests = await render({
      ...{ release: 'registry', namespace: 'inside', values: 'production' },
      set: { 'whois.enabled': true },
    });
    const { spec } = named(manifests, 'PrometheusRule', 'registry-cadastre');
    rules = spec.groups[0].rules;
    // Promtool reads YAML, and JSON is YAML.
    await writeFile(path.join(folder, 'rules.json'), JSON.stringify(spec));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const promtool = (...args: string[]) =>
    promisify(execFile)('promtool', args, { cwd: folder }).then(
      () => 'SUCCESS',
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );

  const expected = ({ alert, labels = {}, summary }: Case) => {
    const rule = rules.find((one) => one.alert === alert)!;
    return {
      exp_labels: { ...rule.labels, ...labels },
      exp_annotations: { summary, runbook_url: rule.annotations.runbook_url },
    };
  };

  const unitTest = (one: Case, series: Record<string, string>, alerts: unknown[]) => ({
    interval: one.step ?? '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time: `${one.hours ?? 1}h`, alertname: one.alert, exp_alerts: alerts }],
  });

  test('all rules are valid', async () => {
    expect(await promtool('check', 'rules', 'rules.json')).toBe('SUCCESS');
  });

  test('each rule has a case', () => {
    expect(new Set(cases.map(({ alert }) => alert))).toEqual(new Set(rules.map(({ alert }) => alert)));
  });

  const fileOf = (at: number) => `test-${at}.json`;
  const writeCase = async (one: Case, at: number) => {
    const tests = [unitTest(one, one.series, [expected(one)]), unitTest(one, one.quiet, [])];
    const groups = [{ name: 'one', rules: rules.filter(({ alert }) => alert === one.alert) }];
    await writeFile(path.join(folder, `rule-${at}.json`), JSON.stringify({ groups }));
    const file = { rule_files: [`rule-${at}.json`], evaluation_interval: one.step ?? '1m', tests };
    await writeFile(path.join(folder, fileOf(at)), JSON.stringify(file));
  };

  /** What one run of promtool says of all cases: most of the time of a run is its start. */
  let said: string;
  beforeAll(async () => {
    await Promise.all(cases.map(writeCase));
    const files = cases.map((_, at) => fileOf(at));
    // Where one fails, promtool has exit code 1.
    const ended = promisify(execFile)('promtool', ['test', 'rules', ...files], { cwd: folder });
    said = await ended.then(
      ({ stdout }) => stdout,
      ({ stdout }) => stdout,
    );
  });

  test.each(cases.map((one, at) => [`${one.alert} ${at}`, at] as const))('%s fires, and stays quiet', async (_, at) => {
    const name = fileOf(at);
    const isSuccess = said.includes(`Unit Testing:  ${name}\n  SUCCESS\n`);
    expect(isSuccess ? 'SUCCESS' : await promtool('test', 'rules', name)).toBe('SUCCESS');
  });
});
