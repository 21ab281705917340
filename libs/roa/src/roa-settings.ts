import { setting } from '@cadastre/service';

/** Where validated ROA payloads come from, for the services that compare routes with them. */
export const roaSettings = {
  roaSource: setting.text({
    name: 'CADASTRE_ROA_SOURCE',
    doc: 'File or URL with validated ROA payloads, in the JSON of Routinator or rpki-client; without it there are no ROA checks.',
    optional: true,
  }),
  roaRefreshMs: setting.duration({
    name: 'CADASTRE_ROA_REFRESH',
    doc: 'Time between two reads of the ROA payloads; at least 1s.',
    default: '15m',
  }),
  roaTrustAnchors: setting.list({
    name: 'CADASTRE_ROA_TRUST_ANCHORS',
    doc: 'Trust anchors whose ROA payloads count; "all" for any.',
    default: ['afrinic', 'apnic', 'arin', 'lacnic', 'ripe'],
  }),
  roaPolicy: setting.list({
    name: 'CADASTRE_ROA_POLICY',
    doc: 'What answers do with routes that ROAs make invalid: POLICY for all sources, SOURCE=POLICY for one. "hide" leaves them out; "mark" shows objects with a mark, and leaves them out of lists of prefixes, origins and keys; "show" shows them as any other. Without ROAs there are none.',
    default: ['mark'],
  }),
};
