import type { ObjectTypeName } from '@cadastre/rpsl';
import { asName, irtName, keyCertName, mntnerName, organisationHandle, personHandle, roleHandle } from './names.js';
import { personText, roleText } from './objects/contact.js';
import { domainKey, domainText } from './objects/domain.js';
import { inet6numKey, inet6numText } from './objects/inet6num.js';
import { inetnumKey, inetnumText } from './objects/inetnum.js';
import { irtText } from './objects/irt.js';
import { keyCertText } from './objects/key-cert.js';
import { mntnerText } from './objects/mntner.js';
import { organisationText } from './objects/organisation.js';
import { poemKey, poemText, poeticFormKey, poeticFormText } from './objects/poetry.js';
import { route6Key, route6Text, routeKey, routeText } from './objects/route.js';
import { asBlockKey, asBlockText, autNumText, inetRtrKey, inetRtrText } from './objects/routing.js';
import { setKey, setText } from './objects/sets.js';
import type { Registry } from './registry.js';

/** Generates the n-th object of a type: its key alone is cheap, and neither needs other objects. */
interface ObjectMaker {
  readonly key: (registry: Registry, index: number) => string;
  readonly text: (registry: Registry, index: number) => string;
}

/** All types, in the order of a generated registry: targets of references first. */
export const objectMakers: Readonly<Record<ObjectTypeName, ObjectMaker>> = {
  mntner: { key: (_, index) => mntnerName(index), text: mntnerText },
  person: { key: personHandle, text: personText },
  role: { key: roleHandle, text: roleText },
  'key-cert': { key: keyCertName, text: keyCertText },
  irt: { key: (_, index) => irtName(index), text: irtText },
  organisation: { key: organisationHandle, text: organisationText },
  inetnum: { key: inetnumKey, text: inetnumText },
  inet6num: { key: inet6numKey, text: inet6numText },
  'as-block': { key: asBlockKey, text: asBlockText },
  'aut-num': { key: (_, index) => asName(index), text: autNumText },
  route: { key: routeKey, text: routeText },
  route6: { key: route6Key, text: route6Text },
  domain: { key: domainKey, text: domainText },
  'as-set': { key: setKey('as-set'), text: setText('as-set') },
  'route-set': { key: setKey('route-set'), text: setText('route-set') },
  'rtr-set': { key: setKey('rtr-set'), text: setText('rtr-set') },
  'filter-set': { key: setKey('filter-set'), text: setText('filter-set') },
  'peering-set': { key: setKey('peering-set'), text: setText('peering-set') },
  'inet-rtr': { key: inetRtrKey, text: inetRtrText },
  'poetic-form': { key: poeticFormKey, text: poeticFormText },
  poem: { key: poemKey, text: poemText },
};
