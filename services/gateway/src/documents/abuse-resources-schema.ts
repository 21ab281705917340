import { object, ref, type Schema, text } from './schema.js';

/** The document of abuse contacts. */
export const abuseResourcesSchemas: Readonly<Record<string, Schema>> = {
  AbuseResources: object('The abuse contact of a resource.', {
    service: text('Name of the service.', { const: 'abuse-contact' }),
    link: ref('Link'),
    parameters: object('The object that was found for the resource.', {
      'primary-key': object('Its key.', {
        value: text('Key of the object that was found; the object may contain the resource.', {
          examples: ['192.0.2.0 - 192.0.2.255'],
        }),
      }),
    }),
    'abuse-contacts': ref('AbuseContact'),
    'terms-and-conditions': ref('Link'),
  }),
  AbuseFailure: object('The reason why there is no abuse contact.', { message: text('Text of the message.') }),
};
