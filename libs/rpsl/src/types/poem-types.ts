import { defineType } from './model.js';

/** Poems and their forms. */
export const poemTypes = [
  defineType('poetic-form', 'pf', 36, 'Kind of poem that a poem object refers to.', [
    ['poetic-form', 'mandatory', 'single', 'primary', 'lookup'],
    ['descr', 'optional', 'multiple'],
    ['admin-c', 'mandatory', 'multiple', 'inverse'],
    ['remarks', 'optional', 'multiple'],
    ['notify', 'optional', 'multiple', 'inverse'],
    ['mnt-by', 'mandatory', 'single', 'inverse'],
  ]),
  defineType('poem', 'po', 37, 'Poem for amusement.', [
    ['poem', 'mandatory', 'single', 'primary', 'lookup'],
    ['descr', 'optional', 'multiple'],
    ['form', 'mandatory', 'single', 'inverse'],
    ['text', 'mandatory', 'multiple'],
    ['author', 'optional', 'multiple', 'inverse'],
    ['remarks', 'optional', 'multiple'],
    ['notify', 'optional', 'multiple', 'inverse'],
    ['mnt-by', 'mandatory', 'single', 'inverse'],
  ]),
] as const;
