/** The changes of a source as clients get them. */
export {
  type ChangeEvent,
  changeEvent,
  changeId,
  isOfTags,
  markOf,
  type OperationName,
  operationNames,
  operationOf,
  timeText,
} from './change-event.js';
export { type ChangeFilter, changeFilter, type FilterProblem, type FilterValues } from './change-filter.js';
export { type ChangeLog, createChangeLog } from './change-log.js';
export { eventObjectJson, eventObjectText, type ShownObject, shownObjects } from './shown-object.js';
export {
  changesBetweenChecks,
  type FeedPosition,
  isFarBehind,
  isLostPlace,
  newestChange,
  watchChanges,
} from './watch-changes.js';
export {
  filterFromWire,
  filterToWire,
  nameIn,
  webhookPayloads,
  webhookSignatures,
  webhookStates,
} from './webhook-values.js';
