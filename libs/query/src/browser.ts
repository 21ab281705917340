/** The part of the grammar that browsers import: it knows neither contracts nor messages nor Node.js. */
export { allFlags, type Flag, flagNamed, flagsOf, hasValue, isSearchFlag, modeFlags } from './flags.js';
export { searchable } from './inverse-attributes.js';
