import * as auth from '@cadastre/proto/auth';
import * as events from '@cadastre/proto/events';
import * as geo from '@cadastre/proto/geo';
import * as mirror from '@cadastre/proto/mirror';
import * as objects from '@cadastre/proto/objects';
import * as search from '@cadastre/proto/search';
import * as whois from '@cadastre/proto/whois';
import { expect, test } from 'vitest';

const contracts = [auth, events, geo, mirror, objects, search, whois].flatMap((contract) =>
  Object.values<object>(contract),
);

test('these methods are retried while their server is unavailable, and no others', () => {
  const methods = contracts.flatMap((contract) => Object.values(contract));
  const retried = methods.filter(({ idempotent }) => idempotent).map(({ path }) => path.replace(/^.*\.v1\./, ''));
  expect(retried.sort()).toEqual([
    'AbuseContactService/BatchFindAbuseContacts',
    'AbuseContactService/DescribeHolders',
    'AbuseContactService/FindAbuseContact',
    'AccountService/ResolveAccounts',
    'ApiKeyService/ListApiKeys',
    'AuthenticationService/Authenticate',
    'ChangeFeedService/ListChanges',
    'GeolocationService/Locate',
    'HierarchyService/BatchFindEnclosing',
    'HierarchyService/DescribeSpace',
    'HierarchyService/ListOwnSpace',
    'MirrorService/ListMirrors',
    'MirrorService/ListPublications',
    'NotificationService/Confirm',
    'NotificationService/SettleNotifications',
    'NotificationService/Unsubscribe',
    'ObjectReaderService/BatchLookup',
    'ObjectReaderService/BatchLookupPast',
    'ObjectReaderService/FindPast',
    'ObjectReaderService/GetVersion',
    'ObjectReaderService/ListSources',
    'ObjectReaderService/ListVersions',
    'ResourceService/BatchDescribeResources',
    'RoaService/BatchValidateRoutes',
    'SearchService/AnnotateObject',
    'SearchService/CountObjects',
    'SearchService/ListBelow',
    'SearchService/ListHoldings',
    'SearchService/Search',
    'SearchService/SearchNames',
    'SearchService/SearchWords',
    'SearchService/Suggest',
    'SessionService/EndSession',
    'SessionService/GetSession',
    'SetService/DescribeSet',
    'SignatureService/ListSigners',
    'WebhookService/GetWebhook',
    'WebhookService/ListWebhookAttempts',
    'WebhookService/ListWebhooks',
  ]);
});
