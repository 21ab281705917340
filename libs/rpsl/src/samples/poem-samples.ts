export const poemSamples = {
  'poetic-form': `poetic-form:    FORM-HAIKU
descr:          Three lines of five, seven and five syllables
admin-c:        AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
  poem: `poem:           POEM-PREFIX
descr:          On address space
form:           FORM-HAIKU
text:           A prefix set free
text:           its routes fade from the tables
text:           silence on the wire
author:         AE1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`,
} as const;
