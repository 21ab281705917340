import { hasAttribute, messages, valuesOf } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** What an attribute says is not said again in remarks, as was the custom before there was one. */
export const geofeedRemark: Rule = {
  id: 'G-GEOFEED-REMARK',
  types: ['inetnum', 'inet6num'],
  actions: ['create', 'modify'],
  check: ({ object }) => {
    const remarks = valuesOf(object, 'remarks').map((value) => value.toLowerCase());
    return ['geofeed', 'prefixlen']
      .filter((name) => hasAttribute(object, name) && remarks.some((remark) => remark.startsWith(`${name}:`)))
      .map((name) => messages.geofeedRemark(name));
  },
};
