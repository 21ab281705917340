import { AbuseContactServiceService, GeolocationServiceService, ResourceServiceService } from '@cadastre/proto/geo';
import { RoaServiceService, SearchServiceService } from '@cadastre/proto/search';
import { type AllowedCallers, type Handlers, type Implementation, implement } from '@cadastre/service';
import type { Context } from '../context.js';
import { abuseContactHandlers } from './abuse-contacts.js';
import { annotateObject } from './annotate-object.js';
import { countObjects } from './count-objects.js';
import { findByKeys } from './find-by-keys.js';
import { findNearest } from './find-nearest.js';
import { geolocationHandlers } from './geolocation.js';
import { getIndexStatus, rebuildIndex, watchRebuild } from './index-status.js';
import { listBelow } from './list-below.js';
import { listHoldings } from './list-holdings.js';
import { resourceHandlers } from './resources.js';
import { search } from './search.js';
import { searchFirstPage } from './search-first-page.js';
import { searchNames } from './search-names.js';
import { searchWords } from './search-words.js';
import { suggest } from './suggest.js';
import { batchValidateRoutes } from './validate-routes.js';

/** All methods of this service. */
export function implementations(context: Context): Implementation[] {
  const { registry } = context;
  return [
    implement(SearchServiceService, searchHandlers(context)),
    implement(RoaServiceService, roaHandlers(context)),
    implement(AbuseContactServiceService, abuseContactHandlers(registry)),
    implement(GeolocationServiceService, geolocationHandlers(registry)),
    implement(ResourceServiceService, resourceHandlers(registry)),
  ];
}

/** The methods that search. */
export function searchHandlers(context: Context): Handlers<typeof SearchServiceService> {
  return {
    search: search(context),
    searchFirstPage: searchFirstPage(context),
    countObjects: countObjects(context),
    searchWords: searchWords(context),
    searchNames: searchNames(context),
    suggest: suggest(context),
    listBelow: listBelow(context),
    listHoldings: listHoldings(context),
    findNearest: findNearest(context),
    findByKeys: findByKeys(context),
    annotateObject: annotateObject(context),
    getIndexStatus: getIndexStatus(context),
    rebuildIndex: rebuildIndex(context),
    watchRebuild: watchRebuild(context),
  };
}

/** The methods that compare routes with ROAs. */
function roaHandlers(context: Context): Handlers<typeof RoaServiceService> {
  return { batchValidateRoutes: batchValidateRoutes(context) };
}

/** Which of our services may call which method. Only the operator's own systems may call the others. */
export const allowedCallers: AllowedCallers = {
  [SearchServiceService.search.path]: ['gateway', 'whois'],
  [SearchServiceService.searchFirstPage.path]: ['gateway', 'whois'],
  [SearchServiceService.countObjects.path]: ['gateway'],
  [SearchServiceService.searchWords.path]: ['gateway'],
  [SearchServiceService.searchNames.path]: ['gateway'],
  [SearchServiceService.suggest.path]: ['gateway'],
  [SearchServiceService.listBelow.path]: ['gateway'],
  [SearchServiceService.listHoldings.path]: ['gateway'],
  [SearchServiceService.findNearest.path]: ['gateway'],
  [SearchServiceService.findByKeys.path]: ['gateway'],
  [SearchServiceService.annotateObject.path]: ['gateway'],
  [RoaServiceService.batchValidateRoutes.path]: ['gateway'],
  [GeolocationServiceService.locate.path]: ['gateway'],
  [AbuseContactServiceService.findAbuseContact.path]: ['gateway'],
  [AbuseContactServiceService.batchFindAbuseContacts.path]: ['gateway'],
  [ResourceServiceService.batchDescribeResources.path]: ['gateway'],
};
