import { object, ref, type Schema, text } from './schema.js';

/** The document of abuse contacts. */
export const abuseResourcesSchemas: Readonly<Record<string, Schema>> = {
  AbuseResources: object('Whom to write to about abuse from a resource.', {
    service: text('Name of the service.', { const: 'abuse-contact' }),
    link: ref('Link'),
    parameters: object('What was found for the resource.', {
      'primary-key': object('Its key.', {
        value: text('Key of the object that was found; it may enclose the resource.', {
          examples: ['192.0.2.0 - 192.0.2.255'],
        }),
      }),
    }),
    'abuse-contacts': ref('AbuseContact'),
    'terms-and-conditions': ref('Link'),
  }),
  AbuseFailure: object('Why there is no abuse contact.', { message: text('What there is to say.') }),
};
