/** The changes of a source as others get them. */
export {
  type ChangeEvent,
  changeEvent,
  type OperationName,
  operationNames,
  operationOf,
  timeText,
} from './change-event.js';
export { type ChangeFilter, changeFilter, type FilterProblem, type FilterValues } from './change-filter.js';
export { type ChangeLog, createChangeLog } from './change-log.js';
export { type ShownObject, shownObjects } from './shown-object.js';
