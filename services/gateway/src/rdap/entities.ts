// /rdap/entities

import { nameSearch } from './name-search.js';

export const entitySearch = nameSearch({
  kind: 'entities',
  id: 'searchRdapEntities',
  summary: 'Search for entities',
  by: {
    fn: {
      types: ['person', 'role', 'organisation'],
      ofKeys: false,
      doc: 'Beginning of a name of a person, role or organisation, or a pattern.',
      example: 'Example*',
    },
    handle: {
      types: ['person', 'role', 'organisation', 'mntner'],
      ofKeys: true,
      doc: 'Beginning of a handle or of the name of a mntner, or a pattern such as `AE*-TEST`.',
    },
  },
  findsBeginnings: true,
});
