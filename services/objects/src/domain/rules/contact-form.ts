import { messages } from '@cadastre/rpsl';
import { valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

/** Ways to reach somebody that programs are known to open. */
const knownForms: readonly RegExp[] = [
  /^https?:\/\/wa\.me\/\+?\d+$/,
  /^https?:\/\/api\.whatsapp\.com\/send\?phone=\+?\d+$/,
  /^https?:\/\/signal\.me\/#p\/\+?\d{7,15}$/,
  /^sip:[^@\s]+@[^@\s:]+(?::\d+)?$/,
  /^https?:\/\/(?:t|telegram)\.me\/share\/url\?url=[^&]*&text=.*$/,
  /^tg:\/\/msg_url\?url=[^&]*&text=.*$/,
];

export const contactForm: Rule = {
  id: 'G-CONTACT',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }) =>
    valuePlaces(object, 'contact')
      .filter(({ value }) => !knownForms.some((form) => form.test(value)))
      .map((place) => messages.unknownContact(place.value, place)),
};
