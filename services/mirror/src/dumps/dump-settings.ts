import { setting } from '@cadastre/service';
import { timeOfDay } from './schedule.js';

const time = setting.text({
  name: 'CADASTRE_MIRROR_DUMP_TIME',
  doc: 'Time of day (UTC) at which the dumps are written.',
  default: '00:00',
});

/** Which dumps this registry offers, and when it writes them. */
export const dumpSettings = {
  dumped: setting.list({
    name: 'CADASTRE_MIRROR_DUMPS',
    doc: 'Names of the sources of which this registry offers daily dumps, without persons, e-mail addresses and password hashes; MAIN-NONAUTH is the non-authoritative part of the main one. Default: none.',
    default: [],
  }),
  dumpTime: {
    ...time,
    form: 'HH:MM',
    parse: (value: string): { value: string } | { problem: string } =>
      timeOfDay(value) === undefined ? { problem: 'must be a time of day such as 03:30' } : { value },
  },
};
