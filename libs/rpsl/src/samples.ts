import { addressSamples } from './samples/address-samples.js';
import { contactSamples } from './samples/contact-samples.js';
import { poemSamples } from './samples/poem-samples.js';
import { routingSamples } from './samples/routing-samples.js';
import { setSamples } from './samples/set-samples.js';
import type { ObjectTypeName } from './types.js';

/**
 * A sample of every type as users submit it: invented data of one example network in source TEST.
 * Every reference has its target among the samples; none has attributes that the server generates.
 */
export const samples: Readonly<Record<ObjectTypeName, string>> = {
  ...addressSamples,
  ...routingSamples,
  ...setSamples,
  ...contactSamples,
  ...poemSamples,
};
